/** The part of the session's reducer that closes the session: it tells all sockets the reason and stops the run. */

import type { SessionClosedReason } from '../../../src-shared/wire/frames/server.ts';
import type { Reducer } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { toAll } from '../view/frames.ts';
import { reduction } from './reductions.ts';

/** One fixed sentence per reason (docs/spec/live-protocol.md, 5.1). */
const CLOSED_MESSAGES: Readonly<Record<SessionClosedReason, string>> = {
  idle: 'The session was closed because it was idle.',
  session_limit: 'The session was closed because too many notebooks are open.',
  memory: 'The session was closed because the machine is low on memory.',
  closed: 'The notebook was closed.',
  deleted: 'The notebook was deleted.',
  shutdown: 'The server is shutting down.',
};

/**
 * The session ends: all sockets get the reason before they close with 1000, and a run starts no further cell.
 */
export const onCloseRequested: Reducer<'close_requested'> = (state, event) => {
  const { running } = state;
  const closing: SessionState = {
    ...state,
    closing: true,
    running: running === null ? null : { ...running, cancelling: true },
  };
  return reduction(closing, [
    toAll({
      type: 'session_closed',
      payload: { reason: event.reason, message: CLOSED_MESSAGES[event.reason] },
    }),
  ]);
};
