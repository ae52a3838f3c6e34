import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { Causality, CellStatus, StalenessReason } from '../../src-shared/wire/cell.ts';
import { findStored, type StoredResult } from '../run/cache.ts';
import { consumedOf, expectedRunOf, latest, workerOf } from './expected.ts';
import type { CellState, ExpectedRun, SessionState } from './state.ts';

/** What a person calls a cell: its @name, else its first define, else its id. */
export function nameOf(cell: CellState): string {
  return cell.analysis.annotations.name ?? cell.analysis.defines[0] ?? cell.id;
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

/** Whether this program can run the cell at all: today Python cells on the local worker. */
export function isRunnable(state: SessionState, cell: CellState): boolean {
  return cell.language === 'python' && workerOf(state, cell) === 'local';
}

/** The stored result that makes a cell ready as it is now, without a run; null where there is none. */
export function storedResultOf(
  state: SessionState,
  cell: CellState,
  expected: ExpectedRun,
): StoredResult | null {
  return findStored({
    stored: cell.artifacts,
    consumed: consumedOf(state, cell.id),
    provenanceHash: expected.provenanceHash,
    contentKey: cell.analysis.annotations.nocache ? null : expected.contentKey,
    depth: 'current',
  });
}

/** Why a cell that ran once would not be answered by what is stored (semantics 5.2). */
function causalityOf(context: Context, cell: CellState, expected: ExpectedRun): Causality | null {
  const { state, verdicts } = context;
  const { record } = cell;
  if (record === null || record.provenanceHash === expected.provenanceHash) return null;
  const upstream = state.graph.upstream.get(cell.id) ?? [];
  const changed = upstream.filter((id) => {
    const verdict = verdicts.get(id);
    return verdict !== undefined && (verdict.status !== 'ready' || verdict.causality !== null);
  });
  const inputDetail = (id: CellId) => {
    const from = state.cells.get(id);
    return {
      type: 'input_changed' as const,
      cell_id: id,
      cell_name: from === undefined ? id : (from.analysis.defines[0] ?? id),
    };
  };
  if (changed.length > 0) return { reason: 'upstream', details: changed.map(inputDetail) };
  if (record.envHash !== expected.envHash) {
    return { reason: 'env', details: [{ type: 'env_changed', package: 'notebook env' }] };
  }
  const first = upstream[0];
  if (record.sourceHash === cell.analysis.sourceHash && first !== undefined) {
    return { reason: 'upstream', details: [inputDetail(changedProducer(context, cell) ?? first)] };
  }
  return { reason: 'self', details: [{ type: 'source_changed' }] };
}

/** The first upstream none of whose hashes the last run knew: it is the one that changed. */
function changedProducer(context: Context, cell: CellState): CellId | null {
  const known = new Set(cell.record?.inputs);
  const { state } = context;
  for (const id of state.graph.upstream.get(cell.id) ?? []) {
    const rows = consumedOf(state, id).map((name) => latest(state.cells.get(id), name)?.provenanceHash);
    if (rows.some((hash) => hash !== undefined && !known.has(hash))) return id;
  }
  return null;
}

/** What goes with a status that needs no explanation. */
export const SETTLED = { reasons: [], causality: null } as const;
const READY: Verdict = { status: 'ready', reasons: [], causality: null };

/** One cell's status by the first matching row of semantics 5.1; its upstreams have theirs already. */
function verdictOf(context: Context, cell: CellState, expected: ExpectedRun): Verdict {
  if (cell.language === 'markdown') return READY;
  const { state, verdicts } = context;
  const upstreamOut = (state.graph.upstream.get(cell.id) ?? []).some(
    (id) => verdicts.get(id)?.status !== 'ready',
  );
  const base = ((): Verdict => {
    const causality = causalityOf(context, cell, expected);
    const stale: Verdict = { status: 'stale', reasons: ['upstream'], causality };
    const idle: Verdict = { status: 'idle', reasons: [], causality };
    if (upstreamOut) return cell.record === null ? idle : stale;
    if (!isRunnable(state, cell)) return idle;
    if (storedResultOf(state, cell, expected) !== null) return READY;
    const isLeafLike = consumedOf(state, cell.id).length === 0;
    if (isLeafLike && cell.readyProvenance === expected.provenanceHash) return READY;
    const { record } = cell;
    const ownUnchanged =
      record !== null &&
      record.sourceHash === cell.analysis.sourceHash &&
      record.envHash === expected.envHash &&
      record.provenanceHash !== expected.provenanceHash;
    return ownUnchanged ? stale : idle;
  })();
  if (cell.lastError !== null && cell.lastError.sourceHash === cell.analysis.sourceHash) {
    return { status: 'error', reasons: [], causality: base.causality };
  }
  if (cell.blocked && base.status === 'idle') return { ...base, status: 'stale', reasons: ['upstream'] };
  return base;
}

function sameVerdict(cell: CellState, verdict: Verdict): boolean {
  return (
    cell.status === verdict.status &&
    cell.reasons.length === verdict.reasons.length &&
    cell.reasons.every((reason, i) => reason === verdict.reasons[i]) &&
    JSON.stringify(cell.causality) === JSON.stringify(verdict.causality)
  );
}

/** The cell whose run is on: its `running` is the run's to give and take, not the walk's. */
export function shownRunning(state: SessionState): CellId | null {
  const { running } = state;
  if (running === null) return null;
  return running.kind === 'single' ? running.targetId : (running.current?.cellId ?? null);
}

/**
 * The status walk (semantics 5.1): every cell's expected key, status, staleness and causality, in one
 * topological pass. Cells that do not change keep their identity, so views and comparisons stay cheap.
 */
export function walkStatuses(state: SessionState): SessionState {
  const expected = new Map<CellId, ExpectedRun>();
  const verdicts = new Map<CellId, Verdict>();
  const context: Context = { state, expected, verdicts };
  const running = shownRunning(state);
  const cells = new Map(state.cells);
  let changed = false;
  const order = state.graphError === null ? state.graph.topologicalOrder : [...state.cells.keys()];
  for (const id of order) {
    const cell = state.cells.get(id);
    const run = expectedRunOf(state, id, expected, state.expected.get(id));
    if (cell === undefined || run === null) continue;
    expected.set(id, run);
    const verdict = state.graphError === null ? verdictOf(context, cell, run) : withoutGraph(cell);
    verdicts.set(id, verdict);
    if (id === running || sameVerdict(cell, verdict)) continue;
    cells.set(id, { ...cell, ...verdict });
    changed = true;
  }
  return { ...state, expected, cells: changed ? cells : state.cells };
}

/** Without a graph nothing runs and all cells are idle; the notebook still opens (semantics 3.1). */
function withoutGraph(cell: CellState): Verdict {
  return cell.language === 'markdown' ? READY : { status: 'idle', reasons: [], causality: null };
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
