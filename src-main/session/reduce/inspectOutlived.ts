/**
 * The part of the session's reducer that closes consoles inside cells when their cell or environment is gone, and
 * answers their pending requests.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { Effect, Reduction } from '../state/events.ts';
import { CLOSED_MESSAGES, type InspectClosedReason, type InspectionState } from '../state/inspectState.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { toOnly } from '../view/frames.ts';
import { inspectUnansweredPayload } from '../view/inspectFrames.ts';
import { append, reduction } from './reductions.ts';

/** The frame for all sockets that subscribed, except the one that closed the console, which has its reply. */
export function closedFrame(
  cellId: CellId,
  { reason, message, by }: { reason: InspectClosedReason; message: string; by?: string },
): AddressedFrame {
  return {
    frame: { type: 'inspect_closed', payload: { cell_id: cellId, reason, message } },
    to: by === undefined ? { kind: 'all' } : { kind: 'except', socketId: by },
  };
}

/**
 * Pending requests to an ending console are answered before its end is reported: a socket's frames stay in
 * order.
 */
export function unanswered(
  cellId: CellId,
  { waiting }: Pick<InspectionState, 'waiting'>,
  why: string,
): readonly AddressedFrame[] {
  return waiting.map(({ socketId, expr }) =>
    toOnly(socketId, { type: 'inspect_result', payload: inspectUnansweredPayload(cellId, { expr, why }) }),
  );
}

/** Closes these consoles, or all. */
export function closeAll(
  state: SessionState,
  reason: Exclude<InspectClosedReason, 'ended'>,
  which: (cellId: CellId) => boolean = () => true,
): Reduction {
  const inspections = new Map(state.inspections);
  const frames: AddressedFrame[] = [];
  const effects: Effect[] = [];
  for (const [cellId, open] of state.inspections) {
    if (!which(cellId)) continue;
    const { inspectId } = open;
    inspections.delete(cellId);
    frames.push(...unanswered(cellId, open, CLOSED_MESSAGES[reason]));
    frames.push(closedFrame(cellId, { reason, message: CLOSED_MESSAGES[reason] }));
    effects.push({ type: 'inspect', inspectId, cellId, what: { type: 'close' } });
  }
  return effects.length === 0 ? reduction(state) : reduction({ ...state, inspections }, frames, effects);
}

/** After any event: closes consoles of deleted cells, and of an environment that was replaced. */
export function closeOutlived(before: SessionState, after: Reduction): Reduction {
  const { state } = after;
  if (state.inspections.size === 0) return after;
  const was = before.environment.interpreter?.identity;
  if (was !== state.environment.interpreter?.identity) {
    return append(after, closeAll(state, 'environment'));
  }
  if (before.cells === state.cells) return after;
  const deleted = [...state.inspections.keys()].filter((id) => !state.cells.has(id));
  return deleted.length === 0
    ? after
    : append(
        after,
        closeAll(state, 'cell_gone', (id) => deleted.includes(id)),
      );
}
