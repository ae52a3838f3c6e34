import type { Reply } from '../api.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { Reducer, Reduction } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { notebookStateFrame, statusFrames, toAll } from '../view/frames.ts';
import { reduction, refuse, refuseClosing } from './draft.ts';

/** A fetch uses the server's token and reaches its network: an untrusted notebook asks for none. */
export const refreshSecrets: Reducer<'refresh_secrets'> = (state, event) => {
  if (state.closing) return refuseClosing(state, event);
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) return refuse(state, event, untrusted);
  return reduction(state, [], [{ type: 'fetch_secrets', ticket: event.ticket }]);
};

/** How many cells may work at once, from the next step on: a run that is on goes on. */
export const limitParallelCells: Reducer<'limit_parallel_cells'> = (state, event) =>
  state.closing
    ? refuseClosing(state, event)
    : reduction(
        { ...state, parallelCells: event.parallelCells },
        [],
        [{ type: 'reply', ticket: event.ticket, reply: { kind: 'done' } }],
      );

/** The block was written: what it names is fetched before whoever wrote it is answered, where it may be. */
export function fetchAgain(state: SessionState, ticket: number, reply: Reply): Reduction {
  return whyUntrusted(state) === null
    ? reduction(state, [], [{ type: 'fetch_secrets', ticket }])
    : reduction(state, [], [{ type: 'reply', ticket, reply }]);
}

/**
 * The variables are filled anew. Settings are not told to other sockets (live-protocol 5.1), the statuses they
 * change are; what nobody asked for is told to all.
 */
export const secretsFetched: Reducer<'secrets_fetched'> = (state, event) => {
  const filled: SessionState = { ...state, file: event.file, secretFetch: event.fetch };
  const after = walkStatuses(filled);
  const frames = statusFrames(state, after);
  const { ticket } = event;
  return ticket === null
    ? reduction(after, [toAll(notebookStateFrame(after)), ...frames])
    : reduction(after, frames, [{ type: 'reply', ticket, reply: { kind: 'done' } }]);
};
