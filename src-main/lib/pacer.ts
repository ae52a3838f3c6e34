/** Lets other work of the process run during a long computation. */

import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * How long steps may run without letting others run; a delay of this length is not noticeable for a socket or request.
 */
const MAX_MS = 8;

/**
 * For work in many small steps that never wait for the system: returns a function to await between two steps,
 * which lets the event loop serve others once the steps have taken `maxMs`. Resolved promises alone never
 * do.
 */
export function createPacer(maxMs = MAX_MS): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < maxMs) return;
    await nextTurn();
    since = performance.now();
  };
}
