/**
 * The part of the session's reducer that chooses the next step of a live run, which a moved control of a `@live` cell
 * starts.
 */

import { descendantsOf } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { stepInputsOf } from '../keys/expected.ts';
import { estimateMs } from '../keys/impact.ts';
import { needsPython, walkStatuses } from '../keys/statuses.ts';
import { whyNoRun } from '../keys/whyNoProcess.ts';
import type { RunningState } from '../state/running.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { whyNotRunnable } from './stepRequest.ts';

/** A cell whose last run took longer must be run by hand (docs/spec/widgets-and-app-view.md, 1). */
const LONGEST_LIVE_MS = 30_000;

/** The next part of a live run before its waiting cells; null: those cells. */
type NextOfLive =
  | { readonly kind: 'widget'; readonly state: SessionState; readonly cell: CellState }
  | { readonly kind: 'planned'; readonly state: SessionState }
  | null;

/**
 * A live run stores the set values, then determines the stale cells, then runs them. Newer values come first,
 * and the plan is made again for them.
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
    // Deleted in the meantime, or no longer the active variant.
    if (cell === undefined || state.graph.inactive.has(id)) return nextOfLive(next);
    return { kind: 'widget', state: next, cell };
  }
  if (planned) return null;
  const withStatuses = walkStatuses(state);
  const waiting = liveCells(withStatuses, running);
  const live = { ...running.live, planned: true };
  const total = running.completed + waiting.length;
  return { kind: 'planned', state: { ...withStatuses, running: { ...running, live, waiting, total } } };
}

/** Whether the current step was stopped for a newer value, not by a user. */
export function isSuperseded(running: RunningState): boolean {
  return !running.cancelling && running.live !== null && running.live.pending.length > 0;
}

/**
 * The stale cells downstream of the run's `@live` widgets, in order; without those that take long, cannot run now, or
 * are downstream of such a cell or a failed one (docs/spec/widgets-and-app-view.md, 1). Beyond the specification: a
 * cell that failed with another value of a control is tried again, otherwise one bad value would stop it from following
 * permanently.
 */
function liveCells(state: SessionState, { live, failed }: RunningState): readonly CellId[] {
  const changed = live?.changed ?? new Map<CellId, ReadonlySet<string>>();
  const sources = [...changed.keys()].filter((id) => state.cells.get(id)?.analysis.annotations.live === true);
  const below = new Set(sources.flatMap((id) => descendantsOf(state.graph, id)));
  const excluded = new Set<CellId>(failed);
  const due = new Set<CellId>();
  for (const id of state.graph.topologicalOrder) {
    const cell = state.cells.get(id);
    if (cell === undefined || !below.has(id)) continue;
    const upstream = state.graph.upstream.get(id) ?? [];
    if (upstream.some((up) => excluded.has(up)) || isLeft(state, cell, due)) excluded.add(id);
    else if (cell.status === 'stale' || (cell.status === 'error' && isMoved(state, id, { changed, due }))) {
      due.add(id);
    } else if (cell.status !== 'ready') excluded.add(id);
  }
  return [...due];
}

function isLeft(state: SessionState, cell: CellState, due: ReadonlySet<CellId>): boolean {
  if (estimateMs(cell) > LONGEST_LIVE_MS || whyNotRunnable(state, cell) !== null) return true;
  if (needsPython(cell) && whyNoRun(state, {}) !== null) return true;
  // Never stored, and not about to be: the name would be missing.
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
