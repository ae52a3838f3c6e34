/** The part of the session's reducer for sockets that join, leave and move between cells. */

import { hintEffects } from '../keys/workers.ts';
import type { Reducer } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { isFromSocket } from '../state/testing.ts';
import { notebookStateFrame, presenceFrames, toOnly } from '../view/frames.ts';
import { reduction, unchanged } from './reductions.ts';

export const joinSocket: Reducer<'join'> = (state, event) => {
  if (event.origin.kind !== 'socket') return unchanged(state);
  const { socketId, identity } = event.origin;
  const next: SessionState = {
    ...state,
    sockets: new Map(state.sockets).set(socketId, {
      identity,
      focusedCellId: null,
      since: event.atMs / 1000,
    }),
  };
  return reduction(next, presenceFrames(next), [{ type: 'stop_grace' }]);
};

/**
 * The last socket to leave starts the grace time, after which the current run and the consoles may be ended
 * (docs/spec/live-protocol.md, 7).
 */
export const leaveSocket: Reducer<'leave'> = (state, event) => {
  if (event.origin.kind !== 'socket' || !state.sockets.has(event.origin.socketId)) return unchanged(state);
  const sockets = new Map(state.sockets);
  sockets.delete(event.origin.socketId);
  const next: SessionState = { ...state, sockets };
  const runId = liveRunOf(state);
  const isLast = sockets.size === 0 && (runId !== null || state.inspections.size > 0);
  return reduction(next, presenceFrames(next), isLast ? [{ type: 'start_grace', runId }] : []);
};

/** The work that holds the reservation: a live run of tests, with the upstreams it runs, or a run. */
function liveRunOf(state: SessionState): string | null {
  for (const run of state.testing.values()) if (isFromSocket(run)) return run.runId;
  return state.running?.runId ?? null;
}

export const focusCell: Reducer<'focus_cell'> = (state, event) => {
  if (event.origin.kind !== 'socket') return unchanged(state);
  const { socketId, identity } = event.origin;
  const socket = state.sockets.get(socketId);
  const isUnknown = event.cellId !== null && !state.cells.has(event.cellId);
  if (socket === undefined || isUnknown) return unchanged(state);
  if (socket.focusedCellId === event.cellId && socket.identity === identity) return unchanged(state);
  const next: SessionState = {
    ...state,
    sockets: new Map(state.sockets).set(socketId, {
      identity,
      focusedCellId: event.cellId,
      since: event.atMs / 1000,
    }),
  };
  const focused = event.cellId === null ? undefined : state.cells.get(event.cellId);
  return reduction(next, presenceFrames(next), hintEffects(next, [focused], 'focus'));
};

export const syncSocket: Reducer<'sync'> = (state, event) =>
  event.origin.kind === 'socket'
    ? reduction(state, [toOnly(event.origin.socketId, notebookStateFrame(state))])
    : unchanged(state);

export const onVisitorLeft: Reducer<'visitor_left'> = (state, event) => {
  if (!state.visitors.has(event.identity)) return unchanged(state);
  const visitors = new Map(state.visitors);
  visitors.delete(event.identity);
  const next: SessionState = { ...state, visitors };
  return reduction(next, presenceFrames(next));
};
