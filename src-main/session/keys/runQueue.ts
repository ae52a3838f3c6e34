/** Operations on the queue of runs: add, move and remove runs, and drop those that can only fail. Pure. */

import { descendantsOf } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { QueuedRunView } from '../../../src-shared/wire/runQueue.ts';
import { upstreamsOf } from '../../run/plan.ts';
import type { QueuedRun } from '../state/queuedRun.ts';
import type { SessionState } from '../state/state.ts';
import { nameOf } from './statuses.ts';

/** The maximum length of the queue: more than the cells of the longest notebook. */
export const QUEUE_LIMIT = 20_000;

/**
 * Adds runs to the end of the queue. A run of a cell that is already queued in the same mode is not queued
 * twice: it keeps its position, and the newly agreed upstreams are added.
 */
export function enqueue(queue: readonly QueuedRun[], more: readonly QueuedRun[]): readonly QueuedRun[] {
  const next = [...queue];
  const placeOf = new Map(next.map((run, at) => [keyOf(run), at]));
  for (const run of more) {
    const at = placeOf.get(keyOf(run));
    const waiting = at === undefined ? undefined : next[at];
    if (at === undefined || waiting === undefined) {
      placeOf.set(keyOf(run), next.length);
      next.push(run);
    } else {
      const ifStale = waiting.ifStale && run.ifStale;
      const agreedCells = bothAgreed(waiting.agreed, run.agreed);
      next[at] = { ...waiting, ifStale, agreed: agreedCells, auto: waiting.auto === null ? null : run.auto };
    }
  }
  return next;
}

/** A run after an environment job is different from a run that does not wait for the job. */
function keyOf({ cellId, mode, afterJob }: QueuedRun): string {
  return JSON.stringify([cellId, mode, afterJob]);
}

function bothAgreed(a: QueuedRun['agreed'], b: QueuedRun['agreed']): QueuedRun['agreed'] {
  return a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]);
}

/** The queue without the runs with these ids; null: without any runs. */
export function withoutRuns(
  queue: readonly QueuedRun[],
  ids: readonly string[] | null,
): readonly QueuedRun[] {
  if (ids === null) return [];
  const removed = new Set(ids);
  return queue.filter(({ id }) => !removed.has(id));
}

/** Moves a run before another one; null: to the end. The same queue if either is not in it. */
export function movedRun(
  queue: readonly QueuedRun[],
  id: string,
  beforeId: string | null,
): readonly QueuedRun[] {
  const run = queue.find((one) => one.id === id);
  const rest = queue.filter((one) => one.id !== id);
  const at = beforeId === null ? rest.length : rest.findIndex((one) => one.id === beforeId);
  if (run === undefined || at === -1) return queue;
  return [...rest.slice(0, at), run, ...rest.slice(at)];
}

/** Removes the runs of a cell; returns the same queue if it has none. */
export function withoutCell(queue: readonly QueuedRun[], cellId: CellId): readonly QueuedRun[] {
  const rest = queue.filter((run) => run.cellId !== cellId);
  return rest.length === queue.length ? queue : rest;
}

/** The cells that a run did not complete, and how to report one of them. */
export interface IncompleteCells {
  readonly cells: Iterable<CellId>;
  readonly how: 'failed' | 'stopped';
}

/**
 * The queue after a run: runs downstream of a cell that failed or was stopped are dropped, since they could
 * only fail or prompt. They stay if that cell has another run before them in the queue.
 */
export function queueAfterIncomplete(
  state: SessionState,
  { cells, how }: IncompleteCells,
): readonly QueuedRun[] {
  if (state.queue.length === 0) return state.queue;
  const below = new Map<CellId, CellId>();
  const unmade = new Set(cells);
  for (const id of unmade) for (const reader of descendantsOf(state.graph, id)) below.set(reader, id);
  if (below.size === 0) return state.queue;
  const again = new Set<CellId>();
  return state.queue.map((run) => {
    const { cellId } = run;
    if (run.dropped !== null || cellId === null) return run;
    const culprit = run.mode === 'force' ? undefined : below.get(cellId);
    const above = culprit === undefined ? [] : upstreamsOf(cellId, state.graph.upstream);
    const isInVain = above.some((id) => unmade.has(id) && !again.has(id));
    if (culprit === undefined || !isInVain) {
      again.add(cellId);
      return run;
    }
    // An automatic run: the error of the failed cell is enough.
    if (run.auto !== null) return { ...run, dropped: '' };
    const cell = state.cells.get(culprit);
    return {
      ...run,
      dropped: `Not run, because \`${cell === undefined ? culprit : nameOf(cell)}\` above it ${HOW[how]}.`,
    };
  });
}

const HOW = { failed: 'failed', stopped: 'was stopped' } as const;

/** Cells that will be ready once the current run and all queued runs have succeeded. */
export function willBeReady(state: SessionState): Set<CellId> {
  const ready = new Set<CellId>();
  const withAbove = (id: CellId): void => {
    for (const above of upstreamsOf(id, state.graph.upstream)) ready.add(above);
    ready.add(id);
  };
  const { running } = state;
  if (running !== null && !running.cancelling) {
    for (const id of running.waiting) ready.add(id);
    if (running.current !== null) ready.add(running.current.cellId);
    if (running.lookingFor !== null) ready.add(running.lookingFor);
  }
  for (const { cellId, mode, dropped: dropReason } of state.queue) {
    if (dropReason !== null) continue;
    if (cellId === null) for (const id of state.cells.keys()) ready.add(id);
    else if (mode === 'force') ready.add(cellId);
    else withAbove(cellId);
  }
  return ready;
}

/** The wire form of a queued run. */
export function viewQueued({ id, cellId, mode }: QueuedRun): QueuedRunView {
  return { id, cell_id: cellId, mode };
}

/** The queue's part of a notebook_state: absent while the queue is empty. */
export function queuePart({ queue }: SessionState): { run_queue?: QueuedRunView[] } {
  return queue.length === 0 ? {} : { run_queue: queue.map(viewQueued) };
}
