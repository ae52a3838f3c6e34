import { setImmediate as nextTurn } from 'node:timers/promises';

/** A socket or request that waits this long is not felt by anybody. */
const MOST_MS = 8;

/**
 * For work in many small steps that never wait for the system: answers a function that, called between two of them,
 * lets the event loop serve others once a stretch of steps has taken `mostMs`. Promises alone never do.
 */
export function takeTurns(mostMs = MOST_MS): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < mostMs) return;
    await nextTurn();
    since = performance.now();
  };
}
