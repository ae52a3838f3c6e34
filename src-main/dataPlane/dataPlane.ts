import type { Config } from '../config/variables.ts';
import type { Logger } from '../observe/log.ts';
import type { BuildRow } from '../registry/buildRows.ts';
import type { RegistryService } from '../registry/registryService.ts';
import type { Party } from '../registry/versionRow.ts';
import { BuildAdmission } from './admission/buildAdmission.ts';
import { ScanAdmission } from './admission/scanAdmission.ts';
import { TurnTaking } from './admission/turnTaking.ts';
import { Builds } from './builds.ts';
import { type CachePlane, createCachePlane } from './cache/cachePlane.ts';
import { createExplain, type Explained } from './explain.ts';
import { type FetchedStream, fetchStream } from './fetchStream.ts';
import { createInputs } from './inputs.ts';
import { createMaterialize } from './materialize.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import { warehousesOf } from './planeSettings.ts';
import type { Materialized, MaterializeRequest } from './requests.ts';
import { Streams } from './streams.ts';
import { createTables } from './tableVersion.ts';

/** Who asks. */
export interface Requester {
  readonly party: Party;
  /** The address of the client, which admission counts by. */
  readonly client: string;
}

/** Scans and transforms of tables and artifacts: the core routes of the server (core-services 1 and 2). */
export interface DataPlane {
  /** @throws PlaneRefusal, RegistryError */
  materialize(request: MaterializeRequest, who: Requester, signal: AbortSignal): Promise<Materialized>;
  /** Says what materialize would do, and builds nothing. @throws PlaneRefusal, RegistryError */
  explain(
    request: Pick<MaterializeRequest, 'inputs' | 'transform' | 'name'>,
    who: Requester,
    signal: AbortSignal,
  ): Promise<Explained>;
  /** The version that each input has now; `<error: …>` for one that cannot be resolved. */
  inputVersions(
    uris: readonly string[],
    party: Party,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>>>;
  /** @throws PlaneRefusal */
  stream(id: string, who: Requester): Promise<FetchedStream>;
  /** Null for a build that is none of the data plane's, or of another client. */
  build(buildId: string, party: Party): Promise<BuildRow | null>;
  readonly cachePlane: CachePlane;
  /** Takes no new work, ends queries, gives scans that run some time, then ends them. */
  close(): Promise<void>;
}

export interface DataPlaneOptions {
  readonly config: Config;
  readonly registry: RegistryService;
  readonly log: Logger;
  /** How long running scans may take once the server closes. Default: 30 s. */
  readonly graceMs?: number;
}

const GRACE_MS = 30_000;
/** Position deletes have no setting of their own. */
const MOST_POSITION_DELETES = 100_000_000;

export function createDataPlane({ config, registry, log, graceMs = GRACE_MS }: DataPlaneOptions): DataPlane {
  const tables = createTables(warehousesOf(config), {
    planSeconds: config.planTimeoutSeconds,
    equalityDeleteRows: config.maxEqualityDeleteRows,
    positionDeleteRows: MOST_POSITION_DELETES,
  });
  const streams = new Streams(config.streamStateTtlSeconds);
  const builds = new Builds(log);
  const inputs = createInputs(tables, registry);
  const cachePlane = createCachePlane(config, { tables, log });
  const scanAdmission = new ScanAdmission(config);
  const buildAdmission = new BuildAdmission(config);
  const scans = new TurnTaking({ most: config.maxConcurrentScans });
  const parts = { buildAdmission, scans, cachePlane, config, registry, tables, streams, builds, inputs };
  const materialize = createMaterialize(parts);
  let isClosing = false;
  const refuseWhenClosing = (): void => {
    if (isClosing) throw new PlaneRefusal(503, 'Server is shutting down. Not accepting new requests.');
  };
  return {
    async materialize(request, who, signal) {
      refuseWhenClosing();
      return materialize(request, who, signal);
    },
    cachePlane,
    explain: createExplain(parts),
    inputVersions: (uris, party, signal) => inputs.describe(uris, party, signal),
    stream: (id, who) =>
      fetchStream({ streams, registry, scanAdmission, nodeUrl: config.nodeAdvertisedUrl }, id, who),
    async build(buildId, { tenant, principal, isAdmin }) {
      if (!registry.isConfigured) return null;
      return (await registry.open()).builds.find(buildId, { tenant, principal, isAdmin });
    },
    async close() {
      isClosing = true;
      streams.close();
      await builds.close(graceMs);
      await cachePlane.close();
    },
  };
}
