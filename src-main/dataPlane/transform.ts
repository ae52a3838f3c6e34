import type { ScanRequest } from '../iceberg/plan/planScan.ts';
import { transformProvenance } from '../registry/provenance.ts';
import type { Registry } from '../registry/registry.ts';
import type { Party } from '../registry/versionRow.ts';
import { TurnTaking } from './admission/turnTaking.ts';
import type { Requester } from './dataPlane.ts';
import { duckdbRows } from './duckdbSql/duckdbRows.ts';
import { closeInputs, type ResolvedInput, versionsOf } from './inputs.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import {
  admitted,
  type Materialized,
  type MaterializeParts,
  type MaterializeRequest,
  noStore,
  pendingAnswer,
  readyAnswer,
  scanRows,
} from './requests.ts';
import { checkPlan } from './scan.ts';

/** Of the snapshot that was pinned, which is the current one. */
const WHOLE_TABLE: ScanRequest = { columns: null, filters: [], snapshotId: null };
/** The longest query. */
const MAX_SQL = 1_000_000;

/** The parameters of duckdb_sql@v1. @throws PlaneRefusal 400 */
export function readSqlParams(params: Readonly<Record<string, unknown>>): { readonly sql: string } {
  const { sql, ...others } = params;
  const extra = Object.keys(others);
  if (typeof sql !== 'string' || sql.trim() === '' || sql.length > MAX_SQL || extra.length > 0) {
    throw new PlaneRefusal(
      400,
      'The parameters of duckdb_sql@v1 are not valid. They are one text called sql that is not empty.',
    );
  }
  return { sql };
}

/** Answers requests for duckdb_sql@v1: a stored result, a build under way, or a new build. */
export function createTransform(parts: MaterializeParts) {
  const { config, registry: service, builds, inputs, tables } = parts;
  const turns = new TurnTaking({
    most: config.buildRunnerMaxConcurrent,
    mostOfOne: config.buildRunnerMaxPerTenant,
  });
  const existing = (
    registry: Registry,
    request: MaterializeRequest,
    { hash, party }: { readonly hash: string; readonly party: Party },
  ): Materialized | null => {
    if (request.refresh) return null;
    const hit = registry.readyByProvenance(hash, party);
    if (hit !== null) {
      if (request.name !== null) registry.names.set(request.name, hit, party);
      return readyAnswer(hit, null);
    }
    const build = builds.find(hash, party);
    if (build === null) return null;
    if (request.name !== null) build.alsoName(request.name, party);
    return pendingAnswer(build);
  };
  return async (
    request: MaterializeRequest,
    { party }: Requester,
    signal: AbortSignal,
  ): Promise<Materialized> => {
    const params = readSqlParams(request.transform.params);
    if (!service.isConfigured) throw noStore();
    const registry = await service.open();
    const resolved = await inputs.resolveAll(request.inputs, party, signal);
    let isHandedOn = false;
    try {
      const spec = { executor: request.transform.executor, inputs: request.inputs, params };
      const inputVersions = versionsOf(resolved);
      const hash = transformProvenance(spec, inputVersions);
      // From here to `add` nothing waits.
      const before = existing(registry, request, { hash, party });
      if (before !== null) return before;
      let closeDatabase = (): void => undefined;
      const replaces = registry.readyByProvenance(hash, party);
      const build = builds.add(
        registry,
        {
          ...{ provenanceHash: hash, spec, inputVersions, name: request.name },
          id: replaces?.id ?? null,
        },
        {
          ...{ party, tier: 'bulk' },
          production: {
            what: 'Running the query',
            timeoutSeconds: config.buildRunnerDefaultTimeout,
            maxBytes: config.buildRunnerDefaultMaxOutput,
            turn: (stop) => turns.take(party.tenant, stop),
            rows: (stop) =>
              duckdbRows({
                sql: params.sql,
                inputs: request.inputs.map((uri) => inputOf(resolved, uri)),
                ...{ registry, party, batchRows: config.batchSize },
                scan: async ({ pinned }, inner) => {
                  const plan = await tables.plan(pinned, WHOLE_TABLE, inner);
                  checkPlan(plan, { maxTasks: config.maxTasksPerScan, maxBytes: config.maxResponseBytes });
                  return scanRows(parts, { pinned, plan, tenant: party.tenant, signal: inner });
                },
                signal: stop,
                onOpen: (close) => {
                  closeDatabase = close;
                },
              }),
            release: async () => {
              closeDatabase();
              await closeInputs(resolved);
            },
          },
        },
      );
      isHandedOn = true;
      const estimate = { outputBytes: config.buildRunnerDefaultMaxOutput, inputs: request.inputs.length };
      const endTurn = await admitted(parts, build, { estimate, signal });
      void build.run().then(
        ({ byteSize }) => parts.buildAdmission.count(party.tenant, byteSize ?? 0),
        () => undefined, // The record of the build has the failure.
      );
      // It is in the queue of the runner now, which has limits of its own.
      endTurn();
      return pendingAnswer(build);
    } finally {
      if (!isHandedOn) await closeInputs(resolved);
    }
  };
}

function inputOf(resolved: readonly ResolvedInput[], uri: string): ResolvedInput {
  const input = resolved.find((one) => one.uri === uri);
  if (input === undefined) throw new Error(`the input ${uri} was not resolved`);
  return input;
}
