import { randomUUID } from 'node:crypto';
import type { Config } from '../config/variables.ts';
import type { ScanPlan, ScanRequest } from '../iceberg/plan/planScan.ts';
import type { Scan } from '../iceberg/read/readScan.ts';
import { checkName } from '../registry/names.ts';
import type { Registry } from '../registry/registry.ts';
import type { RegistryService } from '../registry/registryService.ts';
import { uriOf, type VersionRow } from '../registry/versionRow.ts';
import type { BuildAdmission, BuildEstimate } from './admission/buildAdmission.ts';
import { tierOf } from './admission/scanAdmission.ts';
import type { TurnTaking } from './admission/turnTaking.ts';
import { BuildFailure, type PlaneBuild, type Production } from './build.ts';
import type { Builds } from './builds.ts';
import { cachedScan } from './cache/cachedScan.ts';
import type { CachePlane } from './cache/cachePlane.ts';
import type { Requester } from './dataPlane.ts';
import { checkExecutor, SCAN } from './executors.ts';
import type { Inputs } from './inputs.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import { checkPlan, estimatedBytes, scanHash, scanInput, storedScan } from './scan.ts';
import { plainParams, readScanParams } from './scanParams.ts';
import type { Streams } from './streams.ts';
import type { PinnedTable, Tables } from './tableVersion.ts';
import { createTransform } from './transform.ts';

export interface MaterializeRequest {
  readonly inputs: readonly string[];
  readonly transform: {
    readonly executor: string;
    /** JSON; whole numbers that a double cannot hold are bigints. */
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
  /** Scans under way (SVC_MAX_CONCURRENT_SCANS). */
  readonly scans: TurnTaking;
  readonly cachePlane: CachePlane;
  readonly config: Config;
  readonly registry: RegistryService;
  readonly tables: Tables;
  readonly streams: Streams;
  readonly builds: Builds;
  readonly inputs: Inputs;
}

const NOTHING: Materialized = {
  ...{ hit: false, artifact_uri: null, state: 'pending', build_spec: null },
  ...{ build_id: null, stream_id: null, stream_url: null },
};

export function readyAnswer(row: VersionRow, streamUrl: string | null): Materialized {
  return { ...NOTHING, hit: true, state: 'ready', artifact_uri: uriOf(row), stream_url: streamUrl };
}

export function pendingAnswer({ uri, buildId }: PlaneBuild): Materialized {
  return { ...NOTHING, state: 'pending', artifact_uri: uri, build_id: buildId };
}

/** Answers POST /v1/materialize. */
export function createMaterialize(parts: MaterializeParts) {
  const scan = createScan(parts);
  const transform = createTransform(parts);
  return async (request: MaterializeRequest, who: Requester, signal: AbortSignal): Promise<Materialized> => {
    checkExecutor(request.transform.executor);
    if (request.name !== null) checkName(request.name);
    return request.transform.executor === SCAN ? scan(request, who, signal) : transform(request, who, signal);
  };
}

/**
 * Waits until a new build may run. One that gets no turn fails, unless another request has started it meanwhile.
 * @returns ends the turn. @throws PlaneRefusal 429
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

function createScan(parts: MaterializeParts) {
  const { config, registry: service, tables, streams, builds } = parts;

  const streamAnswer = (build: PlaneBuild, id: string, { party }: Requester): Materialized => {
    const streamId = streams.add(id, party, {
      ...{ kind: 'build', build, tier: build.tier },
      onExpired: () => builds.expire(build),
    });
    return {
      ...NOTHING,
      ...{ state: 'building', artifact_uri: build.uri },
      ...{ stream_id: streamId, stream_url: `/v1/streams/${streamId}` },
    };
  };

  /** What is stored or being built already; null where a build has to begin. */
  const existing = (
    registry: Registry,
    request: MaterializeRequest,
    { hash, scan, who }: { readonly hash: string; readonly scan: ScanRequest; readonly who: Requester },
  ): Materialized | null => {
    if (request.refresh) return null;
    const { hit } = storedScan(registry, { hash, request: scan, party: who.party });
    if (hit !== null) {
      if (request.name !== null) registry.names.set(request.name, hit, who.party);
      const url = `/v1/artifacts/${encodeURIComponent(hit.id)}/v/${hit.version}/data`;
      return readyAnswer(hit, request.mode === 'stream' ? url : null);
    }
    const build = builds.find(hash, who.party);
    if (build === null) return null;
    if (request.name !== null) build.alsoName(request.name, who.party);
    if (request.mode === 'stream') return streamAnswer(build, build.row.id, who);
    void build.run().catch(() => undefined);
    return pendingAnswer(build);
  };

  return async (request: MaterializeRequest, who: Requester, signal: AbortSignal): Promise<Materialized> => {
    const uri = scanInput(request.inputs);
    const scan = readScanParams(request.transform.params);
    if (request.mode === 'artifact' && !service.isConfigured) throw noStore();
    const registry = service.isConfigured ? await service.open() : null;
    const pinned = await tables.pin(uri, scan.snapshotId, signal);
    let isHandedOn = false;
    try {
      const hash = scanHash(pinned, scan);
      const about = { hash, scan, who };
      const before = registry === null ? null : existing(registry, request, about);
      if (before !== null) return before;
      const plan = await tables.plan(pinned, scan, signal);
      checkPlan(plan, { maxTasks: config.maxTasksPerScan, maxBytes: config.maxResponseBytes });
      const { tenant } = who.party;
      const rows = async (stop: AbortSignal) => scanRows(parts, { pinned, plan, tenant, signal: stop });
      const release = () => pinned.table.close();
      if (registry === null) {
        isHandedOn = true;
        return passThrough({ streams, rows, release, who });
      }
      // Another request may have been faster; from here to `add` nothing waits.
      const meanwhile = existing(registry, request, about);
      if (meanwhile !== null) return meanwhile;
      const { hit, replaces } = storedScan(registry, { hash, request: scan, party: who.party });
      const production: Omit<Production, 'onFault'> = {
        ...{ what: 'Scanning the table', timeoutSeconds: config.scanTimeoutSeconds },
        ...{ maxBytes: config.maxResponseBytes, rows, release },
        turn: (stop) => parts.scans.take('', stop),
      };
      const spec = {
        ...request.transform,
        inputs: request.inputs,
        params: plainParams(request.transform.params),
      };
      const build = builds.add(
        registry,
        {
          ...{ provenanceHash: hash, spec, inputVersions: { [uri]: pinned.version }, name: request.name },
          id: (hit ?? replaces)?.id ?? null,
        },
        { party: who.party, production, tier: tierOf(plan, config, scan.columns !== null) },
      );
      isHandedOn = true;
      if (request.mode === 'stream') {
        return streamAnswer(build, request.refresh ? randomUUID() : build.row.id, who);
      }
      const estimate = { outputBytes: estimatedBytes(plan), inputs: request.inputs.length };
      const endTurn = await admitted(parts, build, { estimate, signal });
      void build
        .run()
        .then(({ byteSize }) => parts.buildAdmission.count(tenant, byteSize ?? 0))
        .catch(() => undefined)
        .finally(endTurn);
      return pendingAnswer(build);
    } finally {
      if (!isHandedOn) await pinned.table.close();
    }
  };
}

function passThrough({
  streams,
  rows,
  release,
  who,
}: {
  readonly streams: Streams;
  readonly rows: (signal: AbortSignal) => Promise<Scan>;
  readonly release: () => Promise<void>;
  readonly who: Requester;
}): Materialized {
  const id = streams.add(randomUUID(), who.party, { kind: 'rows', rows, release });
  return { ...NOTHING, state: 'building', stream_id: id, stream_url: `/v1/streams/${id}` };
}

export function noStore(): PlaneRefusal {
  return new PlaneRefusal(
    400,
    'This server has no artifact store to keep the result in. Set SVC_ARTIFACT_DIR, or use mode "stream" with scan@v1.',
  );
}
