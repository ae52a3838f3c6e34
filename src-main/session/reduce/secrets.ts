/** The part of the session's reducer that fetches variables from the secret manager, and takes the fetched ones. */

import { walkStatuses } from '../keys/statuses.ts';
import type { Reducer, Reduction } from '../state/events.ts';
import type { Reply } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { notebookStateFrame, statusFrames, toAll } from '../view/frames.ts';
import { reduction, refuse, refuseClosing } from './reductions.ts';

/** A fetch uses the server's token and its network: refused for an untrusted notebook. */
export const refreshSecrets: Reducer<'refresh_secrets'> = (state, event) => {
  if (state.closing) return refuseClosing(state, event);
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) return refuse(state, event, untrusted);
  return reduction(state, [], [{ type: 'fetch_secrets', ticket: event.ticket }]);
};

/** Sets how many cells may work at the same time, from the next step on: a current run continues. */
export const limitParallelCells: Reducer<'limit_parallel_cells'> = (state, event) =>
  state.closing
    ? refuseClosing(state, event)
    : reduction(
        { ...state, parallelCells: event.parallelCells },
        [],
        [{ type: 'reply', ticket: event.ticket, reply: { kind: 'done' } }],
      );

/** The block was written: the values it names are fetched, if allowed, before the writer gets its reply. */
export function fetchAgain(state: SessionState, ticket: number, reply: Reply): Reduction {
  return whyUntrusted(state) === null
    ? reduction(state, [], [{ type: 'fetch_secrets', ticket }])
    : reduction(state, [], [{ type: 'reply', ticket, reply }]);
}

/**
 * The variables were fetched again. Other sockets get no frame about settings (docs/spec/live-protocol.md, 5.1), only
 * changed statuses; a fetch without a request is reported to all.
 */
export const onSecretsFetched: Reducer<'secrets_fetched'> = (state, event) => {
  const filled: SessionState = { ...state, file: event.file, secretFetch: event.fetch };
  const after = walkStatuses(filled);
  const frames = statusFrames(state, after);
  const { ticket } = event;
  return ticket === null
    ? reduction(after, [toAll(notebookStateFrame(after)), ...frames])
    : reduction(after, frames, [{ type: 'reply', ticket, reply: { kind: 'done' } }]);
};
