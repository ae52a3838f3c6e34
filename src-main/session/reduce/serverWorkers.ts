/** The part of the session's reducer that takes a changed list of the server's workers. */

import { walkStatuses } from '../keys/statuses.ts';
import type { Reducer } from '../state/events.ts';
import { statusFrames } from '../view/frames.ts';
import { reduction, unchanged } from './reductions.ts';

/**
 * The server's list of workers changed (docs/spec/remote-execution.md, 7, 8): the worker behind a cell's name may
 * differ, and with it the cell's key. A run in progress keeps its worker.
 */
export const onServerWorkersChanged: Reducer<'server_workers_changed'> = (state, { workers }) => {
  if (state.closing) return unchanged(state);
  const after = walkStatuses({ ...state, options: { ...state.options, serverWorkers: workers } });
  return reduction(after, statusFrames(state, after), []);
};
