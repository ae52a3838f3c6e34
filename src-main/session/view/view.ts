/** Makes the wire form of cells, graph and environment from the session's state, for REST answers and live frames. */

import type { Graph } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Cell, VariantGroup } from '../../../src-shared/wire/cell.ts';
import type { Dag, DagCell, DagUpdate, LinkedDag } from '../../../src-shared/wire/dag.ts';
import type { REnvironment } from '../../../src-shared/wire/environment.ts';
import { MASKED, type NotebookBody } from '../../../src-shared/wire/notebookState.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { judgedCode } from '../../language/checks/sharedCode.ts';
import { ownValue } from '../../lib/ownValue.ts';
import { plainSettingsOf } from '../../notebook/file/plainSettings.ts';
import { isReference, isSecretName } from '../../notebook/file/saveRules.ts';
import { maskMounts, mergedMounts } from '../../notebook/stored/mountSecrets.ts';
import { transportOf } from '../../notebook/workers.ts';
import { autoRunPart } from '../keys/autoRun.ts';
import { queuePart } from '../keys/runQueue.ts';
import { keyedSourceHash } from '../keys/setupCell.ts';
import { shownRunning } from '../keys/statuses.ts';
import { artifactUrisOf, unreadOf, unstoredReadNames } from '../keys/stored.ts';
import { viewWidget } from '../keys/widgets.ts';
import { remoteWorkerOf } from '../keys/workers.ts';
import { defaultsOf } from '../state/defaults.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { isTested } from '../state/testing.ts';
import { viewTrust } from '../state/untrusted.ts';
import { viewShown, withoutImported } from './importedView.ts';
import { warningsPart } from './shownWarnings.ts';
import { teamPart } from './teamPart.ts';
import { viewApp } from './viewApp.ts';
import { viewProblems } from './viewProblems.ts';

const NOTHING_FETCHED: Readonly<Record<string, string>> = {};

/** Masks fetched values and values with a secret-looking name, unless empty (docs/spec/rest-notebooks.md, 2.1). */
function maskEnv(
  env: Readonly<Record<string, string>>,
  fetchedFrom = NOTHING_FETCHED,
): Record<string, string> {
  const isHidden = (key: string): boolean => isSecretName(key) || Object.hasOwn(fetchedFrom, key);
  return Object.fromEntries(
    Object.entries(env).map(([key, value]) => [key, value !== '' && isHidden(key) ? MASKED : value]),
  );
}

/** The notebook's variables, fetched ones too, overridden by the cell's own. */
function mergedEnv({ env, fetchedFrom }: SessionState['file'], own: CellState['entry']['env']) {
  return { ...maskEnv(env, fetchedFrom), ...maskEnv(own) };
}

/** A connection without the text in its auth, which the file does not store either; references stay. */
function maskAuth<T extends Readonly<Record<string, unknown>>>(block: T): T {
  const { auth } = block;
  if (typeof auth !== 'object' || auth === null) return block;
  const entries = Object.entries(auth).map(([key, value]: [string, unknown]) => {
    const isText = typeof value === 'string' && value !== '' && !isReference(value);
    return [key, isText ? MASKED : value] as const;
  });
  return { ...block, auth: Object.fromEntries(entries) };
}

/** A cell outside the graph is not a leaf (docs/spec/analysis-and-graph.md, 3.1). */
function isLeaf(graph: Graph, id: CellId): boolean {
  return !graph.inactive.has(id) && (graph.downstream.get(id) ?? []).length === 0;
}

/** Beyond the specification: the variants over which the cell runs. */
function fanOutPart(graph: Graph, id: CellId): Pick<Cell, 'fan_out'> {
  const fanOut = graph.fanOuts.get(id);
  return fanOut === undefined ? {} : { fan_out: { group: fanOut.group, variants: [...fanOut.variants] } };
}

/** Beyond the specification: stored variables that no cell reads. */
export function unreadPart(state: SessionState, cell: CellState): Pick<Cell, 'unread_uris'> {
  const rows = LANGUAGES[cell.language].storesTable ? [] : [...unreadOf(state, cell)];
  if (rows.length === 0) return {};
  return {
    unread_uris: Object.fromEntries(rows.map(([name, row]) => [name, artifactUri(row.id, row.version)])),
  };
}

/** Beyond the specification: names that later cells read now and the last run did not store. */
function unkeptPart(state: SessionState, cell: CellState): Pick<Cell, 'unkept'> {
  const names = unstoredReadNames(state, cell);
  return names.length === 0 ? {} : { unkept: [...names] };
}

function widgetPart(cell: CellState): Pick<Cell, 'widget'> {
  const widget = viewWidget(cell);
  return widget === null ? {} : { widget };
}

const groupViews = new WeakMap<Graph['groups'], VariantGroup[]>();

/** The groups of variants, by their first member; the same array while they are the same. */
export function viewVariantGroups({ graph }: SessionState): VariantGroup[] {
  const cached = groupViews.get(graph.groups);
  if (cached !== undefined) return cached;
  const view = graph.groups.map(
    ({ group, mode, activeName, activeCellId, members }): VariantGroup => ({
      group,
      active_name: activeName,
      active_cell_id: activeCellId,
      mode,
      members: members.map(({ cellId, name, isActive }) => ({ cell_id: cellId, name, is_active: isActive })),
    }),
  );
  groupViews.set(graph.groups, view);
  return view;
}

/** Whether a cell's code is self-contained, and the names it then provides (docs/spec/analysis-and-graph.md, 2). */
function moduleView(
  { graph }: SessionState,
  cell: CellState,
): { is_module_cell: boolean; module_exports?: DagCell['module_exports'] } {
  const { isModule, exports } = judgedCode(cell, graph);
  return isModule ? { is_module_cell: true, module_exports: [...exports] } : { is_module_cell: false };
}

function lastUncachedMs(cell: CellState): number | null {
  return cell.samples.findLast((sample) => !sample.cache_hit)?.duration_ms ?? null;
}

/**
 * `error` is of the current source only (docs/spec/rest-notebooks.md, 2.2); `past_error` stays visible during a fix.
 */
function errorView(state: SessionState, cell: CellState): Pick<Cell, 'error' | 'past_error'> {
  const { lastError, status } = cell;
  if (lastError === null) return { error: null };
  if (lastError.sourceHash === keyedSourceHash(state, cell)) return { error: lastError.text };
  return status === 'ready' ? { error: null } : { error: null, past_error: lastError.text };
}

function cellView(state: SessionState, cell: CellState): Cell {
  const { graph, file } = state;
  const { analysis, entry } = cell;
  const { annotations } = analysis;
  const uris = artifactUrisOf(state, cell);
  const shadow = graph.shadowWarnings.get(cell.id);
  return {
    id: cell.id,
    source: cell.source,
    test_source: cell.testSource,
    test_result: cell.testResult === null ? null : { ...cell.testResult, stale: cell.testsStale },
    language: cell.language,
    order: entry.order,
    status: cell.status,
    staleness: cell.reasons.length === 0 ? null : { status: cell.status, reasons: [...cell.reasons] },
    staleness_reasons: [...cell.reasons],
    defines: [...analysis.defines],
    references: [...analysis.references],
    mutation_defines: [...analysis.mutationDefines],
    builtin_references: [...analysis.builtinReferences],
    upstream_ids: [...(graph.upstream.get(cell.id) ?? [])],
    downstream_ids: [...(graph.downstream.get(cell.id) ?? [])],
    is_leaf: isLeaf(graph, cell.id),
    worker: entry.worker ?? file.worker,
    timeout: entry.timeout ?? file.timeout,
    env: mergedEnv(file, entry.env),
    mounts: [...mergedMounts(file.mounts, entry.mounts)],
    worker_override: entry.worker,
    timeout_override: entry.timeout,
    env_overrides: maskEnv(entry.env),
    mount_overrides: [...maskMounts(entry.mounts)],
    variant_group: annotations.variant?.group ?? null,
    variant_name: annotations.variant?.name ?? null,
    variant_active: !graph.inactive.has(cell.id),
    annotation_diagnostics: [...cell.diagnostics],
    annotations: {
      name: annotations.name,
      worker: annotations.worker,
      timeout: annotations.timeout,
      env: maskEnv(annotations.env),
      mounts: annotations.mounts.map((mount) => ({ ...mount, pin: null, options: {} })),
      tables: annotations.tables.map(({ name, uri, snapshotPin }) => ({
        name,
        uri,
        snapshot_pin: snapshotPin,
      })),
      loop:
        annotations.loop === null
          ? null
          : {
              max_iter: annotations.loop.maxIter,
              carry: annotations.loop.carry,
              until_expr: annotations.loop.untilExpr,
              start_from_cell: annotations.loop.startFromCell,
              start_from_iter: annotations.loop.startFromIter,
            },
      variant: annotations.variant,
    },
    artifact_uri: Object.values(uris)[0] ?? null,
    artifact_uris: uris,
    ...viewShown(cell),
    ...errorView(state, cell),
    cache_hit: cell.cacheHit,
    execution_method: cell.method,
    remote_worker: cell.remote?.worker ?? null,
    remote_transport: cell.remote?.transport ?? null,
    remote_build_id: cell.remote?.buildId ?? null,
    remote_build_state: cell.remote?.buildState ?? null,
    remote_error_code: cell.remote?.errorCode ?? null,
    ...(LANGUAGES[cell.language].sharesCode ? moduleView(state, cell) : {}),
    ...(cell.causality === null ? {} : { causality: cell.causality }),
    ...widgetPart(cell),
    ...(shadow === undefined || shadow.length === 0 ? {} : { shadow_warnings: [...shadow] }),
    ...fanOutPart(graph, cell.id),
    ...unkeptPart(state, cell),
    ...unreadPart(state, cell),
    ...warningsPart(cell),
    ...teamPart(cell),
    created_by: entry.createdBy,
    updated_by: entry.updatedBy,
    last_duration_ms: lastUncachedMs(cell),
    ...(cell.stoppedMs === null ? {} : { stopped_ms: cell.stoppedMs }),
    ...(cell.fileProblem === null ? {} : { file_problem: cell.fileProblem }),
    // Only ever changes together with `fileProblem`, which makes a new cell object: views are cached by cell.
    ...(state.unsaved.has(cell.id) ? { unsaved: true as const } : {}),
  };
}

/** A cached view with the inputs it was made from, stored by cell. */
interface Seen<T> {
  readonly graph: Graph;
  readonly defaults: string;
  readonly view: T;
}

function sameIds(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a === b || (a.length === b.length && a.every((id, i) => id === b[i]));
}

/** Whether a cell has the same links in two graphs: then a view made with one is valid for the other. */
function linkedAlike(a: Graph, b: Graph, id: CellId): boolean {
  return (
    a === b ||
    (sameIds(a.upstream.get(id), b.upstream.get(id)) &&
      sameIds(a.downstream.get(id), b.downstream.get(id)) &&
      sameIds(a.consumed.get(id), b.consumed.get(id)) &&
      sameIds(a.shadowWarnings.get(id), b.shadowWarnings.get(id)) &&
      a.inactive.has(id) === b.inactive.has(id) &&
      a.fanOuts.get(id) === b.fanOuts.get(id))
  );
}

/** The view of a cell, cached while the cell, its links and its inherited settings do not change. */
function keptView<T>(
  cache: WeakMap<CellState, Seen<T>>,
  make: (state: SessionState, cell: CellState) => T,
): (state: SessionState, cell: CellState) => T {
  return (state, cell) => {
    const cached = cache.get(cell);
    const defaults = defaultsOf(state.file);
    if (
      cached !== undefined &&
      cached.defaults === defaults &&
      linkedAlike(cached.graph, state.graph, cell.id)
    ) {
      return cached.view;
    }
    const view = make(state, cell);
    cache.set(cell, { graph: state.graph, defaults, view });
    return view;
  };
}

const restingView = keptView<Cell>(new WeakMap(), cellView);

/** A cell as in replies and notebook_state; while it runs, with its output so far and its worker. */
export function viewCell(state: SessionState, cell: CellState): Cell {
  const resting = restingView(state, cell);
  const view = isTested(state, cell.id) ? { ...resting, tests_running: true as const } : resting;
  if (cell.id !== shownRunning(state)) return view;
  const streams =
    state.running?.current?.cellId === cell.id ? state.running.streams : { stdout: '', stderr: '' };
  const printed = { console_stdout: streams.stdout, console_stderr: streams.stderr };
  return { ...withoutImported(view), ...printed, ...whereItRuns(state, cell), ...howItRuns(state) };
}

/** Since when the cell runs, and whether it is being stopped, for windows that connect later. */
function howItRuns({ running }: SessionState): Pick<Cell, 'running_since' | 'stopping'> {
  if (running === null) return {};
  const { kind, startedAtMs, lastRanAtMs, stage } = running;
  // A target counts from the start of the run, with its upstreams; of several cells each begins when the
  // previous one ended.
  const since = kind === 'single' ? startedAtMs : lastRanAtMs;
  return {
    running_since: new Date(since).toISOString(),
    ...(stage === null ? {} : { stopping: stage }),
  };
}

/** As in the frames of the run, for clients that connect later (docs/spec/live-protocol.md, 5.1). */
function whereItRuns(
  state: SessionState,
  cell: CellState,
): Pick<
  Cell,
  'remote_worker' | 'remote_transport' | 'remote_build_id' | 'remote_build_state' | 'remote_error_code'
> {
  const worker = remoteWorkerOf(state, cell);
  const { remote } = cell;
  const isOfThisRun = remote?.buildState === 'starting' || remote?.buildState === 'running';
  return {
    remote_worker: worker?.name ?? null,
    remote_transport: worker === null ? null : transportOf(worker),
    remote_build_id: isOfThisRun ? remote.buildId : null,
    remote_build_state: isOfThisRun ? remote.buildState : null,
    remote_error_code: null,
  };
}

const lists = new WeakMap<ReadonlyMap<CellId, CellState>, Seen<Cell[]>>();

/** All cells in notebook order; the same array until something changes, while no cell runs. */
export function viewCells(state: SessionState): Cell[] {
  const view = () => Array.from(state.cells.values(), (cell) => viewCell(state, cell));
  if (shownRunning(state) !== null || state.testing.size > 0) return view();
  const cached = lists.get(state.cells);
  const defaults = defaultsOf(state.file);
  if (cached?.graph === state.graph && cached.defaults === defaults) return cached.view;
  const list = view();
  lists.set(state.cells, { graph: state.graph, defaults, view: list });
  return list;
}

const linkedDags = new WeakMap<Graph, LinkedDag>();

/** The graph as in notebook_state; the same object while the graph is the same. */
export function viewLinkedDag({ graph, graphError }: SessionState): LinkedDag {
  const cached = graphError === null ? linkedDags.get(graph) : undefined;
  if (cached !== undefined) return cached;
  const dag = {
    edges: [...graph.edges],
    topological_order: [...graph.topologicalOrder],
    leaves: [...graph.leaves],
    roots: [...graph.roots],
    ...(graphError === null ? {} : { error: graphError }),
  };
  if (graphError === null) linkedDags.set(graph, dag);
  return dag;
}

const dags = new WeakMap<LinkedDag, Dag>();

/** The REST form of the graph (docs/spec/rest-notebooks.md, 2.4); the same object while the graph is the same. */
export function viewDag(state: SessionState): Dag {
  const linked = viewLinkedDag(state);
  const cached = dags.get(linked);
  if (cached !== undefined) return cached;
  const variable_producer = Object.fromEntries(state.graph.variableProducer());
  const dag = { ...linked, variable_producer };
  dags.set(linked, dag);
  return dag;
}

const viewDagCell = keptView<DagCell>(new WeakMap(), dagCell);

function dagCell(state: SessionState, cell: CellState): DagCell {
  const { graph } = state;
  const { analysis, entry } = cell;
  return {
    id: cell.id,
    source: null,
    name: analysis.annotations.name,
    defines: [...analysis.defines],
    references: [...analysis.references],
    upstream_ids: [...(graph.upstream.get(cell.id) ?? [])],
    downstream_ids: [...(graph.downstream.get(cell.id) ?? [])],
    is_leaf: isLeaf(graph, cell.id),
    annotation_diagnostics: [...cell.diagnostics],
    variant_group: analysis.annotations.variant?.group ?? null,
    variant_name: analysis.annotations.variant?.name ?? null,
    variant_active: !graph.inactive.has(cell.id),
    ...fanOutPart(graph, cell.id),
    ...unkeptPart(state, cell),
    ...widgetPart(cell),
    module_exports: [],
    ...moduleView(state, cell),
    created_by: entry.createdBy,
    updated_by: entry.updatedBy,
  };
}

/** dag_update after an edit. @param edited the edited cell, whose source goes to all but its author */
export function viewDagUpdate(
  state: SessionState,
  edited: { readonly cellId: CellId; readonly source: string } | null,
): DagUpdate {
  const { edges, roots, leaves, topological_order } = viewLinkedDag(state);
  return {
    edges,
    roots,
    leaves,
    topological_order,
    cells: Array.from(state.cells.values(), (cell) => {
      const view = viewDagCell(state, cell);
      return cell.id === edited?.cellId ? { ...view, source: edited.source } : view;
    }),
    variant_groups: viewVariantGroups(state),
    ...(state.graphError === null ? {} : { error: state.graphError }),
  };
}

/** A notebook without an R lock. */
const NO_R: REnvironment = {
  has_lockfile: false,
  current_lock_hash: '',
  lock_hash: '',
  r_version: '',
  system_r_version: null,
  last_synced_at: 0,
  sync_state: 'absent',
  sync_error: null,
  packages: [],
  packages_status: 'absent',
  packages_error: null,
};

/**
 * The notebook's R lock and library and, if it has R cells, the R of this machine, which is only looked up
 * for those (docs/spec/rest-notebooks.md, 2.5). If there are several libraries, it is that of this R, else the newest.
 */
export function viewREnvironment({ cells, rVersion, environment }: SessionState): REnvironment {
  const hasCells = [...cells.values()].some(({ language }) => LANGUAGES[language].packages === 'r');
  const system: Pick<REnvironment, 'system_r_version' | 'packages_status'> = {
    system_r_version: hasCells ? rVersion : null,
    packages_status: hasCells && rVersion === null ? 'rscript_missing' : 'absent',
  };
  const { facts, error } = environment.r;
  if (facts.lock === null) return { ...NO_R, ...system };
  const { key, content } = facts.lock;
  const minor = rVersion === null ? null : rVersion.split('.').slice(0, 2).join('.');
  const library = facts.libraries.find((one) => minor === null || one.minor === minor);
  const isOk = library?.fits === true;
  const problem =
    content === null
      ? 'renv.lock is not a valid renv lockfile: it is not JSON with `Packages`.'
      : isOk
        ? null
        : error;
  const isSynced = isOk || (library !== undefined && library.lockHash !== '');
  return {
    ...NO_R,
    ...system,
    has_lockfile: true,
    current_lock_hash: key,
    lock_hash: isOk ? key : (library?.lockHash ?? ''),
    r_version: content?.rVersion ?? '',
    last_synced_at: isSynced ? library.syncedAt : 0,
    sync_state: isOk ? 'ok' : problem !== null ? 'failed' : isSynced ? 'outdated' : 'never',
    sync_error: problem,
  };
}

/** The notebook's whole body (docs/spec/rest-notebooks.md, 2.1). */
export function viewBody(state: SessionState): NotebookBody {
  const { file, environment } = state;
  return {
    id: state.notebookId,
    name: file.name,
    owner: file.owner,
    worker: file.worker,
    ...plainSettingsOf(file),
    env: maskEnv(file.env, file.fetchedFrom),
    env_sources: Object.fromEntries(
      Object.keys(file.env).map((key) => [key, ownValue(file.fetchedFrom, key) ?? 'manual']),
    ),
    env_fetch_error: state.secretFetch.error,
    env_fetched_at: state.secretFetch.fetchedAt,
    // The file contains the key as written; the wire only shows that there is one.
    ai: file.ai.api_key === undefined ? { ...file.ai } : { ...file.ai, api_key: MASKED },
    workers: [...file.workers],
    mounts: [...maskMounts(file.mounts)],
    connections: file.connections.map((block) => ({ credential: null, ...maskAuth(block) })),
    catalogs: { ...file.catalogs },
    malformed_connections: file.malformedConnections.map(({ body, ...block }) => ({
      ...block,
      body: maskAuth(body),
    })),
    secret_manager_config: { ...file.secretManager },
    r: { ...file.r },
    cells: viewCells(state),
    variant_groups: viewVariantGroups(state),
    created_at: file.createdAt,
    updated_at: file.updatedAt,
    environment: environment.environment,
    environment_job: environment.job ?? environment.history[0] ?? null,
    environment_job_history: [...environment.history],
    ...viewProblems(state),
    ...viewTrust(state),
    ...queuePart(state),
    ...autoRunPart(state),
    ...(file.app === null ? {} : { app: viewApp(file) }),
    r_environment: viewREnvironment(state),
  };
}
