import { descendantsOf } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { stepInputsOf } from '../keys/expected.ts';
import { estimateMs } from '../keys/impact.ts';
import { needsPython, walkStatuses } from '../keys/statuses.ts';
import { whyNoRun } from '../keys/whyNoProcess.ts';
import type { RunningState } from '../state/running.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { whyNotRunnable } from './stepRequest.ts';

/** A cell whose last run took longer waits to be run by hand (widgets-and-app-view). */
const LONGEST_LIVE_MS = 30_000;

/** What a live run does next, before any of its waiting cells; null: those. */
export type NextOfLive =
  | { readonly kind: 'widget'; readonly state: SessionState; readonly cell: CellState }
  | { readonly kind: 'planned'; readonly state: SessionState }
  | null;

/**
 * A live run stores the values that were set, then looks what is stale by them, then runs that. Values that are set
 * meanwhile come first, and what was planned for older ones is planned anew.
 */
export function nextOfLive(state: SessionState): NextOfLive {
  const { running } = state;
  if (running === null || running.live === null) return null;
  const { pending, planned } = running.live;
  const [id, ...later] = pending;
  if (id !== undefined) {
    const live = { ...running.live, pending: later, planned: false };
    const next: SessionState = { ...state, running: { ...running, live, waiting: [], failed: new Set() } };
    const cell = next.cells.get(id);
    // Deleted meanwhile, or a variant that is no longer the active one.
    if (cell === undefined || state.graph.inactive.has(id)) return nextOfLive(next);
    return { kind: 'widget', state: next, cell };
  }
  if (planned) return null;
  const walked = walkStatuses(state);
  const waiting = liveCells(walked, running);
  const live = { ...running.live, planned: true };
  const total = running.completed + waiting.length;
  return { kind: 'planned', state: { ...walked, running: { ...running, live, waiting, total } } };
}

/** The step under way was stopped for a newer value, not by a person. */
export function isSuperseded(running: RunningState): boolean {
  return !running.cancelling && running.live !== null && running.live.pending.length > 0;
}

/**
 * The cells below the `@live` widgets of the run that are stale now, in order; without those that take long, cannot
 * run now, or stand below such a cell or a failed one (widgets-and-app-view). Ours: a cell that failed over another value
 * of a control it reads is tried again, or one bad value would end the cell's following for good.
 */
function liveCells(state: SessionState, { live, failed }: RunningState): readonly CellId[] {
  const changed = live?.changed ?? new Map<CellId, ReadonlySet<string>>();
  const sources = [...changed.keys()].filter((id) => state.cells.get(id)?.analysis.annotations.live === true);
  const below = new Set(sources.flatMap((id) => descendantsOf(state.graph, id)));
  const left = new Set<CellId>(failed);
  const due = new Set<CellId>();
  for (const id of state.graph.topologicalOrder) {
    const cell = state.cells.get(id);
    if (cell === undefined || !below.has(id)) continue;
    const upstream = state.graph.upstream.get(id) ?? [];
    if (upstream.some((up) => left.has(up)) || isLeft(state, cell, due)) left.add(id);
    else if (cell.status === 'stale' || (cell.status === 'error' && isMoved(state, id, { changed, due }))) {
      due.add(id);
    } else if (cell.status !== 'ready') left.add(id);
  }
  return [...due];
}

function isLeft(state: SessionState, cell: CellState, due: ReadonlySet<CellId>): boolean {
  if (estimateMs(cell) > LONGEST_LIVE_MS || whyNotRunnable(state, cell) !== null) return true;
  if (needsPython(cell) && whyNoRun(state, {}) !== null) return true;
  // Never made, and not about to be: the name would be missing.
  return stepInputsOf(state, cell.id).some(({ row, producerId }) => row === null && !due.has(producerId));
}

function isMoved(
  state: SessionState,
  id: CellId,
  {
    changed,
    due,
  }: { readonly changed: ReadonlyMap<CellId, ReadonlySet<string>>; readonly due: ReadonlySet<CellId> },
): boolean {
  return stepInputsOf(state, id).some(
    ({ producerId, variable }) => due.has(producerId) || changed.get(producerId)?.has(variable) === true,
  );
}
