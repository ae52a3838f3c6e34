/**
 * Returns memory to the system after a load. V8 lets the heap grow while there is room and collects late: a
 * server that closed nine hundred notebooks kept three times its initial memory, all of it unused.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Wait until nothing was closed for this long: then a pause of some tens of milliseconds does not disturb.
 */
const QUIET_MS = 1_000;
/** Minimum interval between two collections. */
const MIN_INTERVAL_MS = 3_000;
/** Growth of the process since the last collection that is not worth a pause. */
const MAX_GROWTH = 1.1;

interface MemoryTools {
  readonly rss: () => number;
  readonly collect: () => void;
  readonly nowMs: () => number;
}

/** Returns a function to call when something large was closed; it collects after a quiet period. */
export function createMemoryRelease(tools: MemoryTools): () => void {
  let timer: NodeJS.Timeout | null = null;
  let collectedAtMs = Number.NEGATIVE_INFINITY;
  let least = tools.rss();
  const collect = (): void => {
    timer = null;
    const now = tools.rss();
    if (now <= least * MAX_GROWTH) {
      least = Math.min(least, now);
      return;
    }
    tools.collect();
    collectedAtMs = tools.nowMs();
    least = tools.rss();
  };
  return () => {
    if (timer !== null) clearTimeout(timer);
    const waitMs = Math.max(QUIET_MS, collectedAtMs + MIN_INTERVAL_MS - tools.nowMs());
    timer = setTimeout(collect, waitMs).unref();
  };
}

/** The function of this process, see {@link createMemoryRelease}. */
export const releaseMemorySoon = createMemoryRelease({
  rss: () => process.memoryUsage.rss(),
  collect: collectNow,
  nowMs: () => performance.now(),
});

/** `last-resort` returns freed pages at once. */
type Gc = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;
let gc: Gc | null = null;

function collectNow(): void {
  if (gc === null) {
    // The function exists only in contexts created after the flag was set.
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as Gc; // defined by V8
    setFlagsFromString('--no-expose-gc');
  }
  gc({ type: 'major', flavor: 'last-resort' });
}
