/** Answers requests for transforms in the data plane: a stored result, a build in progress, or a new build. */

import type { Config } from '../config/variables.ts';
import type { ScanRequest } from '../iceberg/plan/planScan.ts';
import type { Scan } from '../iceberg/read/readScan.ts';
import { transformProvenance } from '../registry/provenance.ts';
import type { Registry } from '../registry/registry.ts';
import type { Party } from '../registry/versionRow.ts';
import { TurnTaking } from './admission/turnTaking.ts';
import type { PlaneBuild, Production } from './build.ts';
import { duckdbRows } from './duckdbSql/duckdbRows.ts';
import type { TransformExecutor } from './executors.ts';
import { httpRows, shownUrl } from './httpExecutor.ts';
import { closeInputs, type ResolvedInput, versionsOf } from './inputs.ts';
import { PlaneRefusal } from './planeRefusal.ts';
import type { Requester } from './requester.ts';
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
import { plainParams } from './scanParams.ts';

/** A scan of all rows of the snapshot that was pinned, which is the current one. */
const WHOLE_TABLE: ScanRequest = { columns: null, filters: [], snapshotId: null };
/** The maximum length of a query, in characters. */
const MAX_SQL = 1_000_000;

/** The parameters of a transform, as part of its provenance. @throws PlaneRefusal 400 */
export function readParams(
  { kind }: TransformExecutor,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return kind === 'sql' ? readSqlParams(params) : params;
}

function readSqlParams(params: Readonly<Record<string, unknown>>): { readonly sql: string } {
  const { sql, ...others } = params;
  const extra = Object.keys(others);
  if (typeof sql !== 'string' || sql.trim() === '' || sql.length > MAX_SQL || extra.length > 0) {
    throw new PlaneRefusal(
      400,
      'The parameters of duckdb_sql@v1 are not valid. The only parameter is sql, a text that is not empty.',
    );
  }
  return { sql };
}

/** Creates the function that answers requests for transforms. */
export function createTransform(parts: MaterializeParts) {
  const { config, registry: service, builds, inputs, tables } = parts;
  const turns = new TurnTaking({
    max: config.buildRunnerMaxConcurrent,
    maxPerOwner: config.buildRunnerMaxPerTenant,
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
    executor: TransformExecutor,
    {
      request,
      who: { party },
      signal,
    }: { readonly request: MaterializeRequest; readonly who: Requester; readonly signal: AbortSignal },
  ): Promise<Materialized> => {
    const params = readParams(executor, request.transform.params);
    if (!service.isConfigured) throw noStore();
    const registry = await service.open();
    const resolved = await inputs.resolveAll(request.inputs, party, signal);
    let isHandedOn = false;
    try {
      const spec = { executor: request.transform.executor, inputs: request.inputs, params };
      const inputVersions = versionsOf(resolved);
      const hash = transformProvenance(spec, inputVersions);
      // There must be no await from here to `add`.
      const before = existing(registry, request, { hash, party });
      if (before !== null) return before;
      let cleanUp = (): void => undefined;
      const replaces = registry.readyByProvenance(hash, party);
      const limits = limitsOf(executor, config);
      const isHttp = executor.kind === 'http';
      const run = (stop: AbortSignal, { buildId }: PlaneBuild) => ({
        registry,
        party,
        signal: stop,
        buildId,
        inputs: request.inputs.map((uri) => inputOf(resolved, uri)),
        scan: async (
          { pinned }: Extract<ResolvedInput, { kind: 'table' }>,
          inner: AbortSignal,
        ): Promise<Scan> => {
          const plan = await tables.plan(pinned, WHOLE_TABLE, inner);
          checkPlan(plan, { maxTasks: config.maxTasksPerScan, maxBytes: config.maxResponseBytes });
          return scanRows(parts, { pinned, plan, tenant: party.tenant, signal: inner });
        },
      });
      const onOpen = (close: () => void): void => {
        cleanUp = close;
      };
      const build: PlaneBuild = builds.add(
        registry,
        {
          provenanceHash: hash,
          spec: { ...spec, params: plainParams(params) },
          inputVersions,
          name: request.name,
          id: replaces?.id ?? null,
          executorUrl: isHttp ? shownUrl(executor.entry.url) : null,
        },
        {
          party,
          tier: 'bulk',
          production: {
            what: isHttp ? 'Running the transform' : 'Running the query',
            ...limits,
            turn: (stop) => turns.take(party.tenant, stop),
            rows: (stop) =>
              isHttp
                ? httpRows({
                    ...run(stop, build),
                    entry: executor.entry,
                    spec,
                    provenanceHash: hash,
                    maxOutputBytes: limits.maxBytes,
                    onFiles: onOpen,
                  })
                : duckdbRows({
                    ...run(stop, build),
                    sql: String(params['sql']),
                    batchRows: config.batchSize,
                    onOpen,
                  }),
            release: async () => {
              cleanUp();
              await closeInputs(resolved);
            },
          },
        },
      );
      isHandedOn = true;
      const estimate = { outputBytes: limits.maxBytes, inputs: request.inputs.length };
      const endTurn = await admitted(parts, build, { estimate, signal });
      void build.run().then(
        ({ byteSize }) => parts.buildAdmission.count(party.tenant, byteSize ?? 0),
        () => undefined, // The record of the build has the failure.
      );
      // It is now in the runner's queue, which has its own limits.
      endTurn();
      return pendingAnswer(build);
    } finally {
      if (!isHandedOn) await closeInputs(resolved);
    }
  };
}

/** The limits of an entry of the registry, else those of the server. */
function limitsOf(
  { entry }: TransformExecutor,
  config: Config,
): Pick<Production, 'timeoutSeconds' | 'maxBytes'> {
  return {
    timeoutSeconds: entry?.timeoutSeconds ?? config.buildRunnerDefaultTimeout,
    maxBytes: entry?.maxOutputBytes ?? config.buildRunnerDefaultMaxOutput,
  };
}

function inputOf(resolved: readonly ResolvedInput[], uri: string): ResolvedInput {
  const input = resolved.find((one) => one.uri === uri);
  if (input === undefined) throw new Error(`the input ${uri} was not resolved`);
  return input;
}
