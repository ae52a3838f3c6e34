/** The status walk: computes status, staleness and cause of every cell in one pass. */

import { titleOf } from '../../../src-shared/notebook/cellTitle.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { loopOf } from '../../../src-shared/notebook/loop.ts';
import type { Causality, CellStatus, StalenessReason } from '../../../src-shared/wire/cell.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { itemName } from '../../mount/dataItem.ts';
import { findStored, runsOf, type StoredResult } from '../../run/cache.ts';
import { mayAnswer } from '../../run/observed/answers.ts';
import type { BrokenFact, CurrentState } from '../../run/observed/pathState.ts';
import { ownSourceHash, setupHashOf } from '../../run/setupHash.ts';
import { readDigest } from '../../run/shared/pinned.ts';
import { versionsOf } from '../../run/storedVersions.ts';
import type { CellState, ExpectedRun, KeyInputs, RunRecord, SessionState } from '../state/state.ts';
import { whyUnreadable } from '../state/unreadable.ts';
import { cachedRunOf } from './cachedRun.ts';
import { dataUses, writesOutside } from './data.ts';
import { withDiagnostics } from './diagnostics.ts';
import { newestVersion, ownLines } from './expected.ts';
import { changedModules } from './modules.ts';
import { brokenFactOf, currentStateFor, readsOfWritten } from './observed.ts';
import { changedPackagesOf } from './packages.ts';
import { readsOf } from './reads.ts';
import { storesReply } from './replies.ts';
import { setupCellFor } from './setupCell.ts';
import { sqlInputs } from './sqlCells.ts';
import { consumedOf } from './stored.ts';
import { withTestStaleness } from './testStaleness.ts';
import { whyNoWorker } from './workers.ts';

/** The display name of a cell: its @name, else what it defines, else its id. */
export function nameOf({ analysis, source, id }: CellState): string {
  return titleOf({ name: analysis.annotations.name, defines: analysis.defines, source }) ?? id;
}

interface Verdict {
  readonly status: CellStatus;
  readonly reasons: readonly StalenessReason[];
  readonly causality: Causality | null;
}

interface Context {
  readonly state: SessionState;
  readonly expected: ReadonlyMap<CellId, ExpectedRun>;
  readonly verdicts: ReadonlyMap<CellId, Verdict>;
}

/** Whether the cell runs in a process of the notebook's Python. */
export function needsPython({ language }: Pick<CellState, 'language'>): boolean {
  return LANGUAGES[language].startsPython === 'always';
}

/** Whether this program can run the cell at all: a supported language and an available worker. */
export function isRunnable(state: SessionState, cell: CellState): boolean {
  if (!state.options.languages.has(cell.language)) return false;
  return whyNoWorker(state, cell) === null;
}

/** The keys that a cell's stored results are looked up by. */
export type ResultKey = Pick<
  ExpectedRun,
  'provenanceHash' | 'contentKey' | 'unlockedKey' | 'basis' | 'variantKeys' | 'controlKeys'
>;

/**
 * The stored results that make a cell ready as it is now, without a run: one for each of its runs, because a
 * fan-out has one per variant. Null if there are none.
 */
export function storedResultsOf(
  state: SessionState,
  cell: CellState,
  { depth, expected }: { readonly depth: 'current' | 'all'; readonly expected: ResultKey },
): readonly StoredResult[] | null {
  const { provenanceHash, contentKey, unlockedKey, basis, variantKeys, controlKeys } = expected;
  if (controlKeys !== null) return storedControlsOf(state, cell, { depth, keys: controlKeys });
  const results: StoredResult[] = [];
  let now: CurrentState | null = null;
  for (const key of variantKeys ?? [{ variant: null, contentKey, unlockedKey, basis }]) {
    const result = findStored({
      accepts: (row, by) => {
        now ??= currentStateFor(state, cell);
        return mayAnswer(row, by, { language: cell.language, basis: key.basis, now });
      },
      stored: cell.artifacts,
      consumed: consumedOf(state, cell.id),
      carry: loopOf(cell.analysis)?.carry,
      provenanceHash,
      variant: key.variant,
      contentKey: cell.analysis.annotations.nocache ? null : key.contentKey,
      unlockedKey: cell.analysis.annotations.nocache ? null : key.unlockedKey,
      depth,
    });
    if (result === null) return null;
    results.push(result);
  }
  return results;
}

/**
 * The stored values of the controls that other cells read, each under its own key; none for a widget without
 * readers.
 */
function storedControlsOf(
  state: SessionState,
  cell: CellState,
  { depth, keys }: { readonly depth: 'current' | 'all'; readonly keys: ReadonlyMap<string, string> },
): readonly StoredResult[] | null {
  const rows: Record<string, ArtifactRow> = {};
  for (const name of consumedOf(state, cell.id)) {
    const versions = versionsOf(cell.artifacts, name).slice(0, depth === 'current' ? 1 : undefined);
    const row = versions.find(({ provenanceHash }) => provenanceHash === keys.get(name));
    if (row === undefined) return null;
    rows[name] = row;
  }
  const hasNone = Object.keys(rows).length === 0;
  return hasNone ? null : [{ rows, displayCount: 0, current: depth === 'current' }];
}

/** Why the stored result does not answer for a cell that has run (docs/spec/staleness-and-runs.md, 2). */
function causalityOf(context: Context, cell: CellState, expected: ExpectedRun): Causality | null {
  const { state, verdicts } = context;
  const { record } = cell;
  if (record === null) return null;
  const upstream = state.graph.upstream.get(cell.id) ?? [];
  const changed = upstream.filter((id) => {
    const verdict = verdicts.get(id);
    return verdict !== undefined && (verdict.status !== 'ready' || verdict.causality !== null);
  });
  const isThatRun = record.provenanceHash === expected.provenanceHash || changed.length === 0;
  const isSameRun = isThatRun && isOfRun(state, cell, expected) && readTheSame(record, expected);
  const broken = isSameRun ? brokenFactOf(state, cell) : null;
  if (isSameRun && broken === null) return null;
  const setup = changedSetup(state, cell, expected);
  if (setup !== null) return { reason: 'self', details: [setup] };
  const inputDetail = (id: CellId) => {
    const from = state.cells.get(id);
    return {
      type: 'input_changed' as const,
      cell_id: id,
      cell_name: from === undefined ? id : (from.analysis.defines[0] ?? id),
    };
  };
  if (changed.length > 0) return { reason: 'upstream', details: changed.map(inputDetail) };
  if (isSameRun && broken !== null) return brokenCausality(broken);
  const isSame = usesSameData(record, expected) && asksAlike(state, cell, record);
  const data = changedData(state, cell);
  if (data.length > 0) return { reason: 'self', details: data };
  if (!isSame || !usesSameConnection(state, cell, record)) {
    return { reason: 'self', details: [{ type: 'source_changed' }] };
  }
  if (record.envHash !== expected.envHash) {
    return { reason: 'env', details: changedEnvironment(state, cell, expected) };
  }
  const modules = changedModules(state, cell, expected);
  if (record.sourceHash === expected.sourceHash && modules.length > 0) {
    return { reason: 'self', details: modules.map((path) => ({ type: 'source_changed', module: path })) };
  }
  const first = upstream[0];
  if (record.sourceHash === expected.sourceHash && first !== undefined) {
    const other = changedValue(state, cell) ?? changedProducer(context, cell) ?? first;
    return { reason: 'upstream', details: [inputDetail(other)] };
  }
  return { reason: 'self', details: [{ type: 'source_changed' }] };
}

/** Whether the cell's recorded run is the same as a run now. */
function isOfRun(state: SessionState, cell: CellState, expected: ExpectedRun): boolean {
  const { record } = cell;
  if (record === null) return false;
  if (record.provenanceHash === expected.provenanceHash) return true;
  // The environment may be the only difference; if it is equal, something else differs.
  return record.envHash !== expected.envHash && changedPackagesOf(state, cell, expected)?.length === 0;
}

/**
 * The changed packages that the last run reached, if only packages changed; else the environment as a whole.
 */
function changedEnvironment(
  state: SessionState,
  cell: CellState,
  expected: ExpectedRun,
): Causality['details'] {
  const changed = changedPackagesOf(state, cell, expected) ?? [];
  const names = changed.length === 0 ? ['notebook env'] : changed;
  return names.map((name) => ({ type: 'env_changed', package: name }));
}

/**
 * A file that the last run read and an upstream cell writes, if that cell must run again: no edge orders the
 * two.
 */
function outdatedWriter({ state, verdicts }: Context, cell: CellState): Causality | null {
  const details = readsOfWritten(state, cell).flatMap(({ path, cellId }): Causality['details'] => {
    const verdict = verdicts.get(cellId);
    const writer = state.cells.get(cellId);
    // A cell further down writes for the next run.
    if (verdict === undefined || verdict.status === 'ready' || writer === undefined) return [];
    return [{ type: 'input_changed', cell_id: cellId, cell_name: nameOf(writer), file: path }];
  });
  return details.length === 0 ? null : { reason: 'upstream', details };
}

/** The causality of a changed file or variable that a run used: it counts as the cell's own change. */
function brokenCausality({ kind, name }: BrokenFact): Causality {
  if (kind === 'env') {
    const variable = name === '' ? 'notebook env' : name;
    return { reason: 'env', details: [{ type: 'env_changed', package: variable }] };
  }
  return { reason: 'self', details: [{ type: 'source_changed', file: name }] };
}

/**
 * Whether a run would read the same values as the recorded one; records of older versions do not contain
 * this.
 */
function readTheSame({ facts }: RunRecord, expected: ExpectedRun): boolean {
  return facts?.basis === undefined || facts.basis === expected.basis;
}

/** The first upstream cell whose value differs from what the last run read. */
function changedValue(state: SessionState, cell: CellState): CellId | null {
  const before = new Map(
    (cell.record?.facts?.inputs ?? []).map(({ cellId, name, sha256 }) => [`${cellId}\0${name}`, sha256]),
  );
  for (const { producerId, label } of readsOf(state, cell.id)) {
    const was = before.get(`${producerId}\0${label}`);
    if (was !== undefined && was !== readDigest(newestVersion(state.cells.get(producerId), label)))
      return producerId;
  }
  return null;
}

/**
 * The change of the set-up cell, if the cell itself is unchanged and its set-up cell was edited, added or
 * removed.
 */
function changedSetup(
  state: SessionState,
  cell: CellState,
  expected: ExpectedRun,
): Causality['details'][number] | null {
  const { record } = cell;
  if (record === null || ownSourceHash(record.sourceHash) !== cell.analysis.sourceHash) return null;
  if (setupHashOf(record.sourceHash) === setupHashOf(expected.sourceHash)) return null;
  const now = setupCellFor(state, cell);
  const before = record.facts?.setup?.cellId;
  const id = now?.id ?? (before === undefined ? undefined : (before as CellId)); // the cell may be deleted
  const from = id === undefined ? undefined : state.cells.get(id);
  return {
    type: 'source_changed',
    setup: true,
    ...(from === undefined ? {} : { cell_id: from.id, cell_name: nameOf(from) }),
  };
}

/**
 * Whether mounts, fetches, datasets and tables are unchanged: a difference counts as the cell's own change.
 */
function usesSameData(record: RunRecord, expected: ExpectedRun): boolean {
  const before = new Set(record.inputs);
  const count = record.facts?.data.length ?? expected.data.length;
  return count === expected.data.length && expected.data.every((line) => before.has(line));
}

/** The mounts, fetches, datasets and tables with other data than the last run read, if its own code is the same. */
function changedData(state: SessionState, cell: CellState): Causality['details'] {
  const { record } = cell;
  if (record === null || ownSourceHash(record.sourceHash) !== cell.analysis.sourceHash) return [];
  const before = new Map(
    (record.facts?.data ?? []).map((one) => [`${one.kind}\0${one.name}\0${one.uri}`, one]),
  );
  return dataUses(state, cell).flatMap(({ item, fact }): Causality['details'] => {
    const was = before.get(`${item.kind}\0${item.name}\0${itemName(item)}`)?.token ?? null;
    const token = item.fixed ?? fact?.token ?? null;
    if (was === null || token === null || was === token) return [];
    const detail = { type: 'source_changed' as const, data: item.name };
    return [item.kind === 'table' ? { ...detail, snapshot: token } : detail];
  });
}

/** Whether a prompt uses the same model as before; true for other cells. */
function asksAlike(state: SessionState, cell: CellState, record: RunRecord): boolean {
  return ownLines(state, cell).every((line) => record.inputs.includes(line));
}

/** Whether a SQL cell's connection and policy are unchanged: a difference counts as the cell's own change. */
function usesSameConnection(state: SessionState, cell: CellState, record: RunRecord): boolean {
  return sqlInputs(state, cell).every((line) => record.inputs.includes(line));
}

/** The first upstream that has no hash the last run knew: it is the one that changed. */
function changedProducer(context: Context, cell: CellState): CellId | null {
  const lines = new Set(cell.record?.inputs);
  const { state } = context;
  for (const id of state.graph.upstream.get(cell.id) ?? []) {
    const rows = consumedOf(state, id).map(
      (name) => newestVersion(state.cells.get(id), name)?.provenanceHash,
    );
    if (rows.some((hash) => hash !== undefined && !lines.has(hash))) return id;
  }
  return null;
}

/** The other fields for a status that needs no explanation. */
export const NO_REASONS = { reasons: [], causality: null } as const;
const READY: Verdict = { status: 'ready', reasons: [], causality: null };

/**
 * One cell's status by the first matching row of docs/spec/staleness-and-runs.md, 1; its upstreams have theirs already.
 */
function verdictOf(context: Context, cell: CellState, expected: ExpectedRun): Verdict {
  if (!LANGUAGES[cell.language].runs) return READY;
  const { state, verdicts } = context;
  const upstreamOut = (state.graph.upstream.get(cell.id) ?? []).some(
    (id) => verdicts.get(id)?.status !== 'ready',
  );
  const base = ((): Verdict => {
    const causality = causalityOf(context, cell, expected);
    const stale: Verdict = { status: 'stale', reasons: ['upstream'], causality };
    const idle: Verdict = { status: 'idle', reasons: [], causality };
    if (whyUnreadable(state, cell) !== null) return idle;
    if (upstreamOut) return cell.record === null ? idle : stale;
    if (!isRunnable(state, cell)) return idle;
    // Its writes to external data are not stored: the cell has run in this session, or must run
    // (docs/spec/staleness-and-runs.md, 1).
    const sameValues = cell.record === null || readTheSame(cell.record, expected);
    if (writesOutside(state, cell)) {
      if (!sameValues) return stale;
      return cell.readyProvenance === expected.provenanceHash ? READY : idle;
    }
    const writer = outdatedWriter(context, cell);
    if (writer !== null) return { ...stale, causality: writer };
    const results = storedResultsOf(state, cell, { depth: 'current', expected });
    // Displays and console belong to the newest run: if another run stored these rows, a run shows its own
    // again. A widget has no output of a run, and what a cell shows on opening comes from its rows
    // (shownResults.ts).
    // A failed run keeps the displays and console of the success before it.
    const hasOwn = expected.controlKeys === null && cell.shownRuns !== null;
    if (results !== null && (!hasOwn || cell.shownRuns === runsOf(results))) return READY;
    const { record } = cell;
    // After reopening, a fan-out and a widget may also be ready by their record; a plain leaf only within its
    // session.
    const isByRecord = expected.variantKeys !== null || expected.controlKeys !== null;
    const provenance = isByRecord ? (record?.provenanceHash ?? null) : cell.readyProvenance;
    const broken = brokenFactOf(state, cell);
    const isSameRun = provenance === expected.provenanceHash && sameValues && broken === null;
    if (isKeptFor(state, cell) && isSameRun) return READY;
    if (isOfRun(state, cell, expected) && sameValues && broken !== null) {
      return { status: 'stale', reasons: ['self'], causality };
    }
    const ownUnchanged =
      record !== null &&
      ownSourceHash(record.sourceHash) === cell.analysis.sourceHash &&
      record.envHash === expected.envHash &&
      usesSameData(record, expected) &&
      asksAlike(state, cell, record) &&
      usesSameConnection(state, cell, record) &&
      changedModules(state, cell, expected).length === 0 &&
      (record.provenanceHash !== expected.provenanceHash || !sameValues);
    return ownUnchanged ? stale : idle;
  })();
  if (cell.lastError !== null && cell.lastError.sourceHash === expected.sourceHash) {
    return { status: 'error', reasons: [], causality: base.causality };
  }
  if (cell.blocked && base.status === 'idle') return { ...base, status: 'stale', reasons: ['upstream'] };
  return base;
}

/**
 * Whether everything that others read of a cell's last run is stored. Replies to SQL and prompt cells are in
 * the store.
 */
function isKeptFor(state: SessionState, cell: CellState): boolean {
  const consumed = consumedOf(state, cell.id);
  if (!storesReply(cell)) return consumed.length === 0;
  return cell.analysis.defines.every((name) => newestVersion(cell, name) !== null);
}

function sameVerdict(cell: CellState, verdict: Verdict): boolean {
  return (
    cell.status === verdict.status &&
    cell.reasons.length === verdict.reasons.length &&
    cell.reasons.every((reason, i) => reason === verdict.reasons[i]) &&
    (cell.causality === verdict.causality ||
      JSON.stringify(cell.causality) === JSON.stringify(verdict.causality))
  );
}

/** The running cell: the run, not the walk, sets and clears its `running`. */
export function shownRunning(state: SessionState): CellId | null {
  const { running } = state;
  if (running === null) return null;
  return running.kind === 'single' ? running.targetId : (running.current?.cellId ?? running.lookingFor);
}

/**
 * The status walk (docs/spec/staleness-and-runs.md, 1): every cell's expected key, status, staleness, causality and
 * diagnostics, in one topological pass. Cells that do not change keep their identity, so that views and
 * comparisons stay cheap.
 */
export function walkStatuses(before: SessionState): SessionState {
  const state = withDiagnostics(before);
  const expected = new Map<CellId, ExpectedRun>();
  const runs = new Map<CellId, KeyInputs>();
  const verdicts = new Map<CellId, Verdict>();
  const context: Context = { state, expected, verdicts };
  const running = shownRunning(state);
  let cells: Map<CellId, CellState> | null = null;
  const order = state.graphError === null ? state.graph.topologicalOrder : [...state.cells.keys()];
  for (const id of order) {
    const cell = state.cells.get(id);
    const keyed = cachedRunOf(state, id, expected);
    if (cell === undefined || keyed === null) continue;
    const { run } = keyed;
    runs.set(id, keyed);
    expected.set(id, run);
    const verdict = state.graphError === null ? verdictOf(context, cell, run) : withoutGraph(cell);
    verdicts.set(id, verdict);
    if (id === running || sameVerdict(cell, verdict)) continue;
    cells ??= new Map(state.cells);
    cells.set(id, { ...cell, ...verdict, ...ownConsole(cell, verdict) });
  }
  if (state.graphError === null) {
    for (const id of state.graph.inactive) {
      const cell = state.cells.get(id);
      if (cell === undefined || id === running || sameVerdict(cell, withoutGraph(cell))) continue;
      cells ??= new Map(state.cells);
      cells.set(id, { ...cell, ...withoutGraph(cell) });
    }
  }
  return withTestStaleness({ ...state, expected, made: runs, cells: cells ?? state.cells });
}

/** The text of the last success is back: the output of a later failed run belonged to another text. */
function ownConsole(
  { resultConsole, lastError }: CellState,
  { status }: Verdict,
): Partial<Pick<CellState, 'console' | 'resultConsole'>> {
  if (status !== 'ready' || resultConsole === null || lastError === null) return {};
  return { console: resultConsole, resultConsole: null };
}

/**
 * Cells outside the graph are idle and do not run: all if there is no graph, and inactive variants
 * (docs/spec/analysis-and-graph.md, 3.1, 3.2).
 */
function withoutGraph(cell: CellState): Verdict {
  return !LANGUAGES[cell.language].runs ? READY : { status: 'idle', reasons: [], causality: null };
}

/** The cells whose status, reasons or causality differ between two states, in notebook order. */
export function changedStatuses(before: SessionState, after: SessionState): readonly CellState[] {
  const changed: CellState[] = [];
  for (const [id, cell] of after.cells) {
    const was = before.cells.get(id);
    if (was === cell) continue;
    if (was === undefined || !sameVerdict(was, cell)) changed.push(cell);
  }
  return changed;
}
