/** Types and shared steps of requests to the data plane: admission, answers, and reading rows through the cache. */

import type { Config } from '../config/variables.ts';
import type { ScanPlan } from '../iceberg/plan/planScan.ts';
import type { Scan } from '../iceberg/read/readScan.ts';
import type { RegistryService } from '../registry/registryService.ts';
import { uriOf, type VersionRow } from '../registry/versionRow.ts';
import type { BuildAdmission, BuildEstimate } from './admission/buildAdmission.ts';
import type { TurnTaking } from './admission/turnTaking.ts';
import { BuildFailure, type PlaneBuild } from './build.ts';
import type { Builds } from './builds.ts';
import { cachedScan } from './cache/cachedScan.ts';
import type { CachePlane } from './cache/cachePlane.ts';
import type { Inputs } from './inputs.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import type { Prefetch } from './prefetch.ts';
import type { Streams } from './streams.ts';
import type { PinnedTable, Tables } from './tableVersion.ts';

/** A scan whose rows are not stored. The parameters are those of scan@v1. */
export interface DirectScanRequest {
  readonly table: string;
  readonly [param: string]: unknown;
}

export interface MaterializeRequest {
  readonly inputs: readonly string[];
  readonly transform: {
    readonly executor: string;
    /** The parameters as JSON; whole numbers that a double cannot represent are bigints. */
    readonly params: Readonly<Record<string, unknown>>;
  };
  readonly mode: 'stream' | 'artifact';
  readonly refresh: boolean;
  readonly name: string | null;
}

export interface Materialized {
  readonly hit: boolean;
  readonly artifact_uri: string | null;
  readonly state: 'ready' | 'building' | 'pending';
  readonly build_spec: null;
  readonly build_id: string | null;
  readonly stream_id: string | null;
  readonly stream_url: string | null;
}

export interface MaterializeParts {
  readonly buildAdmission: BuildAdmission;
  /** Running scans (SVC_MAX_CONCURRENT_SCANS). */
  readonly scans: TurnTaking;
  readonly cachePlane: CachePlane;
  readonly prefetch: Prefetch;
  readonly config: Config;
  readonly registry: RegistryService;
  readonly tables: Tables;
  readonly streams: Streams;
  readonly builds: Builds;
  readonly inputs: Inputs;
}

/** A reply with no field set. */
export const EMPTY_ANSWER: Materialized = {
  hit: false,
  artifact_uri: null,
  state: 'pending',
  build_spec: null,
  build_id: null,
  stream_id: null,
  stream_url: null,
};

export function readyAnswer(row: VersionRow, streamUrl: string | null): Materialized {
  return { ...EMPTY_ANSWER, hit: true, state: 'ready', artifact_uri: uriOf(row), stream_url: streamUrl };
}

export function pendingAnswer({ uri, buildId }: PlaneBuild): Materialized {
  return { ...EMPTY_ANSWER, state: 'pending', artifact_uri: uri, build_id: buildId };
}

/**
 * Waits until a new build may run. One that gets no turn fails, unless another request has started it meanwhile.
 * @returns a function that ends the turn. @throws PlaneRefusal 429
 */
export async function admitted(
  { buildAdmission }: Pick<MaterializeParts, 'buildAdmission'>,
  build: PlaneBuild,
  { estimate, signal }: { readonly estimate: BuildEstimate; readonly signal: AbortSignal },
): Promise<() => void> {
  try {
    return await buildAdmission.admit(build.party.tenant, estimate, signal);
  } catch (error) {
    if (build.hasStarted) return () => undefined;
    const message = error instanceof Error ? error.message : String(error);
    await build.cancel(new BuildFailure('NOT_ADMITTED', message));
    throw error;
  }
}

/** The rows of a planned scan, through the cache. */
export function scanRows(
  { cachePlane }: Pick<MaterializeParts, 'cachePlane'>,
  {
    pinned,
    plan,
    tenant,
    signal,
  }: {
    readonly pinned: PinnedTable;
    readonly plan: ScanPlan;
    readonly tenant: string;
    readonly signal: AbortSignal;
  },
): Scan {
  const { uri, files } = pinned.table;
  return cachedScan(plan, { tenant, identity: uri.identity }, { ...cachePlane.reading, files, signal });
}

export function noStore(): PlaneRefusal {
  return new PlaneRefusal(
    400,
    'This server has no artifact store for the result. Set SVC_ARTIFACT_DIR, or use mode "stream" with scan@v1.',
  );
}
