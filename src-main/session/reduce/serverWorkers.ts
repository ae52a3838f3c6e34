import { walkStatuses } from '../keys/statuses.ts';
import type { Reducer } from '../state/events.ts';
import { statusFrames } from '../view/frames.ts';
import { reduction, unchanged } from './draft.ts';

/**
 * Who runs the server offers other workers (remote-execution 7, 8): what a cell's name means, and with it its key, may be
 * another now. A run that is on its way keeps the worker it began on.
 */
export const serverWorkersChanged: Reducer<'server_workers_changed'> = (state, { workers }) => {
  if (state.closing) return unchanged(state);
  const after = walkStatuses({ ...state, options: { ...state.options, serverWorkers: workers } });
  return reduction(after, statusFrames(state, after), []);
};
