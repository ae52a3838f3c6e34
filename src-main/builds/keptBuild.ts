import type { BuildState, BuildStatus, FinalizeAnswer } from '../../src-shared/wire/worker/build.ts';
import type { BuildEnd, NewBuild } from './build.ts';
import type { ChunkOrder } from './chunkOrder.ts';
import { attemptOf, leaseOf } from './signedUrls.ts';

/** Of the artifact a build makes: each build has one of its own. */
export const VERSION = 1;
/** The output, where a build keeps it. */
export const OUTPUT = 'bundle.tar';
const MAX_MESSAGE = 500;
const MANIFEST_OWNER = 'external:manifest';
const LEASE_MORE_SECONDS = 60;

/** A build this server knows, under way or ended. */
export interface Kept {
  readonly build: NewBuild;
  readonly buildId: string;
  readonly artifactId: string;
  readonly expiresAt: number;
  readonly createdAt: number;
  readonly address: string;
  readonly consoles: Readonly<Record<'stdout' | 'stderr', ChunkOrder>>;
  readonly resolve: (end: BuildEnd) => void;
  lease: string;
  end: BuildEnd | null;
  endedAt: number | null;
  finalizing: Promise<FinalizeAnswer> | null;
}

export function stateOf({ end }: Pick<Kept, 'end'>): BuildState {
  return end?.state ?? 'building';
}

export function uriOf({ artifactId }: Pick<Kept, 'artifactId'>): string {
  return `svc://artifact/${artifactId}@v=${VERSION}`;
}

/** What the present lease's upload is called in a store (core-services 11, blob keys). */
export function blobKeyOf({ artifactId, lease }: Pick<Kept, 'artifactId' | 'lease'>): string {
  const attempt = lease === '' ? '' : `~${attemptOf(lease)}`;
  return `${artifactId}${attempt}@v=${VERSION}.arrow`;
}

/** Ends a build that has not ended. @returns whether this did */
export function settle(kept: Kept, end: BuildEnd, nowSeconds: number): boolean {
  if (kept.end !== null) return false;
  kept.end = end.state === 'failed' ? { ...end, message: end.message.slice(0, MAX_MESSAGE) } : end;
  kept.endedAt = nowSeconds;
  kept.resolve(kept.end);
  return true;
}

/** A lease no earlier one is equal to, even where two are asked for at once. */
export function renewed(lease: string, expiresAt: number): string {
  const next = leaseOf(MANIFEST_OWNER, expiresAt + LEASE_MORE_SECONDS);
  return next === lease ? renewed(lease, expiresAt + 0.001) : next;
}

export function hasLapsed(lease: string, nowSeconds: number): boolean {
  return lease !== '' && Number(lease.slice(lease.lastIndexOf(':') + 1)) < nowSeconds;
}

/** GET /v1/builds/{id}. */
export function statusOf(kept: Kept): BuildStatus {
  const { end, createdAt } = kept;
  const failed = end?.state === 'failed' ? end : null;
  return {
    build_id: kept.buildId,
    artifact_id: kept.artifactId,
    version: VERSION,
    state: stateOf(kept),
    artifact_uri: uriOf(kept),
    executor_ref: kept.build.metadata.executor_ref,
    progress: null,
    created_at: createdAt,
    started_at: createdAt,
    completed_at: kept.endedAt,
    error_message: failed?.message ?? null,
    error_code: failed?.code ?? null,
  };
}
