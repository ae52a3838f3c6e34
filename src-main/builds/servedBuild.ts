/**
 * The state of one signed build, that is, a cell that runs on a worker which fetches its inputs and uploads its output
 * by signed URLs: inputs, upload, leases and end.
 */

import type { Readable } from 'node:stream';
import type {
  BuildErrorCode,
  BuildState,
  BuildStatus,
  FinalizeAnswer,
} from '../../src-shared/wire/worker/build.ts';
import type { BuildEnd, BuildInput, NewBuild } from './build.ts';
import { ChunkOrder } from './chunkOrder.ts';
import { attemptOf, leaseOf } from './signedUrls.ts';

/** Always 1, because each build creates a new artifact. */
export const ARTIFACT_VERSION = 1;
/** The file name of a build's output. */
export const OUTPUT_FILE = 'bundle.tar';
const MAX_MESSAGE = 500;
const MANIFEST_OWNER = 'external:manifest';
const LEASE_MORE_SECONDS = 60;

/** A build this server serves, running or ended. */
export interface ServedBuild {
  readonly buildId: string;
  readonly artifactId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly serverUrl: string;
  /** The key that signs its URLs. */
  readonly key: string;
  readonly inputs: readonly BuildInput[];
  readonly executorRef: string;
  /** Null if an earlier process began it with environment variables, whose values are never stored. */
  readonly metadata: NewBuild['metadata'] | null;
  /** True if this process started the build, and so runs its cell. */
  readonly isBegunHere: boolean;
  /** The folder of its output; created when the output arrives. */
  readonly dir: string;
  readonly accept: (file: string) => Promise<void>;
  /** Receives the console text; null if no listener is left. */
  readonly onConsole: NewBuild['onConsole'] | null;
  readonly consoles: Readonly<Record<'stdout' | 'stderr', ChunkOrder>>;
  readonly ended: Promise<BuildEnd>;
  readonly resolve: (end: BuildEnd) => void;
  /** Each issued lease, and the end of its upload period. */
  readonly attempts: Map<string, number>;
  lease: string;
  end: BuildEnd | null;
  endedAt: number | null;
  outputBytes: number | null;
  /** Whether the output was passed to its creator, or to the process that took the build over. */
  isTaken: boolean;
  finalizing: Promise<FinalizeAnswer> | null;
  /** The current upload. */
  receiving: Readable | null;
}

/** Creates a build: the given fields, and the initial values that are the same for every build. */
export function createServedBuild(
  of: Omit<ServedBuild, 'consoles' | 'ended' | 'resolve' | 'finalizing' | 'receiving' | Mutable> &
    Partial<Pick<ServedBuild, Mutable>>,
): ServedBuild {
  const { promise: end, resolve } = Promise.withResolvers<BuildEnd>();
  const consoles = { stdout: new ChunkOrder(), stderr: new ChunkOrder() };
  const start = { lease: '', end: null, endedAt: null, outputBytes: null, isTaken: false };
  const build: ServedBuild = {
    ...start,
    ...of,
    consoles,
    ended: end,
    resolve,
    finalizing: null,
    receiving: null,
  };
  if (build.end !== null) resolve(build.end);
  return build;
}
type Mutable = 'lease' | 'end' | 'endedAt' | 'outputBytes' | 'isTaken';

export function stateOf({ end }: Pick<ServedBuild, 'end'>): BuildState {
  return end?.state ?? 'building';
}

function uriOf({ artifactId }: Pick<ServedBuild, 'artifactId'>): string {
  return `svc://artifact/${artifactId}@v=${ARTIFACT_VERSION}`;
}

/** The part of the output's name that depends on the lease; empty for the first lease. */
export function attemptName({ lease }: Pick<ServedBuild, 'lease'>): string {
  return lease === '' ? '' : attemptOf(lease);
}

/** The key of a lease's upload in a store (docs/spec/core-services.md, 6, blob keys). */
export function blobKeyOf({ artifactId }: Pick<ServedBuild, 'artifactId'>, attempt: string): string {
  return `${artifactId}${attempt === '' ? '' : `~${attempt}`}@v=${ARTIFACT_VERSION}.arrow`;
}

/** Ends a build that has not ended. @returns whether this call ended it */
export function endBuild(build: ServedBuild, end: BuildEnd, nowSeconds: number): boolean {
  if (build.end !== null) return false;
  build.end = end.state === 'failed' ? { ...end, message: end.message.slice(0, MAX_MESSAGE) } : end;
  build.endedAt = nowSeconds;
  build.receiving?.destroy();
  build.resolve(build.end);
  return true;
}

export function failedWith(code: BuildErrorCode, message: string): BuildEnd {
  return { state: 'failed', code, message };
}

/** The reply of finalize, the same for each repeated call. */
export function finalizedAnswer(build: ServedBuild): FinalizeAnswer {
  return {
    status: 'finalized',
    build_id: build.buildId,
    artifact_uri: uriOf(build),
    byte_size: build.outputBytes ?? 0,
    row_count: null,
  };
}

/** A lease that differs from all earlier ones of the build, even if they are valid for the same time. */
export function newLease({ attempts }: Pick<ServedBuild, 'attempts'>, expiresAt: number): string {
  for (let deadline = expiresAt + LEASE_MORE_SECONDS; ; deadline += 0.001) {
    const lease = leaseOf(MANIFEST_OWNER, deadline);
    if (!attempts.has(attemptOf(lease))) return lease;
  }
}

export function hasExpired(lease: string, nowSeconds: number): boolean {
  return lease !== '' && Number(lease.slice(lease.lastIndexOf(':') + 1)) < nowSeconds;
}

/** The answer of GET /v1/builds/{id}. */
export function statusOf(build: ServedBuild): BuildStatus {
  const { end, createdAt } = build;
  const failed = end?.state === 'failed' ? end : null;
  return {
    build_id: build.buildId,
    artifact_id: build.artifactId,
    version: ARTIFACT_VERSION,
    state: stateOf(build),
    artifact_uri: uriOf(build),
    executor_ref: build.executorRef,
    progress: null,
    created_at: createdAt,
    started_at: createdAt,
    completed_at: build.endedAt,
    error_message: failed?.message ?? null,
    error_code: failed?.code ?? null,
  };
}
