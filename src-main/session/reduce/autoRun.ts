import { autoPlan } from '../keys/autoRun.ts';
import { enqueue } from '../keys/runQueue.ts';
import type { Reducer } from '../state/events.ts';
import type { QueuedRun } from '../state/queuedRun.ts';
import type { AddressedFrame } from '../state/requests.ts';
import { notebookStateFrame, toAll, toOnly } from '../view/frames.ts';
import { reduction, refuseClosing } from './draft.ts';
import { canQueue } from './queue.ts';

/** Sets which runs begin without a request; queued automatic runs are checked again when their turn comes. */
export const setAutoRun: Reducer<'set_auto_run'> = (state, event) => {
  if (state.closing) return refuseClosing(state, event);
  const next = { ...state, autoRun: event.autoRun };
  const reply = { type: 'reply', ticket: event.ticket, reply: { kind: 'done' } } as const;
  return reduction(next, [toAll(notebookStateFrame(next))], [reply]);
};

/**
 * A client has finished an edit of these cells: in live mode, what the edit made stale is queued. Only the
 * client knows when an edit is finished; what may run is decided here.
 */
export const editSettled: Reducer<'edit_settled'> = (state, event, tools) => {
  const { mode } = state.autoRun;
  // A folder that may not run code, or a closing session, has refused nothing that the person asked for.
  const cannotRun = state.closing || state.hold !== null || !canQueue(state);
  const reply = { type: 'reply', ticket: event.ticket, reply: { kind: 'done' } } as const;
  if (mode !== 'live' || cannotRun) return reduction(state, [], [reply]);
  const { run, sources, skipped } = autoPlan(
    state,
    event.cellIds.filter((id) => state.cells.has(id)),
  );
  const runs = run.map(
    (cellId): QueuedRun => ({
      ...{ id: tools.newId(), cellId, mode: 'normal', continueOnError: true, ifStale: true },
      ...{ agreed: new Set(sources.keys()), afterJob: null, origin: event.origin, dropped: null },
      auto: sources,
    }),
  );
  const report = {
    queued: [...run],
    skipped: skipped.map(({ cellId, message }) => ({ cell_id: cellId, message })),
  };
  const frames: AddressedFrame[] =
    event.origin.kind === 'socket'
      ? [toOnly(event.origin.socketId, { type: 'auto_run_report', payload: report })]
      : [];
  return reduction({ ...state, queue: enqueue(state.queue, runs) }, frames, [reply]);
};
