/** The part of the session's reducer that queues automatic runs after edits. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { autoPlan } from '../keys/autoRun.ts';
import { enqueue } from '../keys/runQueue.ts';
import type { Reducer } from '../state/events.ts';
import type { QueuedRun } from '../state/queuedRun.ts';
import type { AddressedFrame, Origin } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { notebookStateFrame, toAll, toOnly } from '../view/frames.ts';
import { canQueue } from './queue.ts';
import { reduction, refuseClosing } from './reductions.ts';

/** Sets which runs begin without a request; queued automatic runs are checked again when their turn comes. */
export const setAutoRun: Reducer<'set_auto_run'> = (state, event) => {
  if (state.closing) return refuseClosing(state, event);
  const next = { ...state, autoRun: event.autoRun };
  const reply = { type: 'reply', ticket: event.ticket, reply: { kind: 'done' } } as const;
  return reduction(next, [toAll(notebookStateFrame(next))], [reply]);
};

/** What an edit queued without a request, and what it left out. */
type AutoRunReport = Extract<AddressedFrame['frame'], { type: 'auto_run_report' }>['payload'];

/**
 * Queues the runs of what an edit of these cells made stale, in live mode. Null: the notebook is in another
 * mode, or may not run code now; there is no request to refuse.
 */
export function withAutoRuns(
  state: SessionState,
  { edited, origin, newId }: { edited: readonly CellId[]; origin: Origin; newId: () => string },
): { readonly state: SessionState; readonly report: AutoRunReport } | null {
  const cannotRun = state.closing || state.hold !== null || !canQueue(state);
  if (state.autoRun.mode !== 'live' || cannotRun) return null;
  const { run, sources, skipped } = autoPlan(
    state,
    edited.filter((id) => state.cells.has(id)),
  );
  const runs = run.map(
    (cellId): QueuedRun => ({
      id: newId(),
      cellId,
      mode: 'normal',
      continueOnError: true,
      ifStale: true,
      agreed: new Set(sources.keys()),
      afterJob: null,
      origin,
      dropped: null,
      auto: sources,
    }),
  );
  const report = {
    queued: [...run],
    skipped: skipped.map(({ cellId, message }) => ({ cell_id: cellId, message })),
  };
  return { state: { ...state, queue: enqueue(state.queue, runs) }, report };
}

/**
 * A client has finished an edit of these cells: in live mode, what the edit made stale is queued. Only the
 * client knows when an edit is finished; what may run is decided here.
 */
export const onEditSettled: Reducer<'edit_settled'> = (state, event, tools) => {
  const reply = { type: 'reply', ticket: event.ticket, reply: { kind: 'done' } } as const;
  const { cellIds: edited, origin } = event;
  const queued = withAutoRuns(state, { edited, origin, newId: tools.newId });
  if (queued === null) return reduction(state, [], [reply]);
  const frames: AddressedFrame[] =
    origin.kind === 'socket'
      ? [toOnly(origin.socketId, { type: 'auto_run_report', payload: queued.report })]
      : [];
  return reduction(queued.state, frames, [reply]);
};
