import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives memory back to the system after a load. V8 lets the heap grow as long as there is room and collects it when it
 * must: a server that closed nine hundred notebooks kept three times what it began with, none of it in use.
 */

/** Nothing was closed for so long: a pause of some tens of milliseconds is felt by nobody. */
const QUIET_MS = 1_000;
/** At most as often as this. */
const APART_MS = 3_000;
/** What the process may have grown by, since it was last looked at, without being worth a pause. */
const WORTH = 1.1;

export interface MemoryTools {
  readonly rss: () => number;
  readonly collect: () => void;
  readonly nowMs: () => number;
}

/** Answers a function to be called when something large was closed; it collects once that is over. */
export function createMemoryRelease(tools: MemoryTools): () => void {
  let timer: NodeJS.Timeout | null = null;
  let collectedAtMs = Number.NEGATIVE_INFINITY;
  let least = tools.rss();
  const collect = (): void => {
    timer = null;
    const now = tools.rss();
    if (now <= least * WORTH) {
      least = Math.min(least, now);
      return;
    }
    tools.collect();
    collectedAtMs = tools.nowMs();
    least = tools.rss();
  };
  return () => {
    if (timer !== null) clearTimeout(timer);
    const waitMs = Math.max(QUIET_MS, collectedAtMs + APART_MS - tools.nowMs());
    timer = setTimeout(collect, waitMs).unref();
  };
}

/** Of this process: see {@link createMemoryRelease}. */
export const releaseMemorySoon = createMemoryRelease({
  rss: () => process.memoryUsage.rss(),
  collect: collectNow,
  nowMs: () => performance.now(),
});

/** `last-resort` gives freed pages back at once. */
type Gc = (how: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;
let gc: Gc | null = null;

function collectNow(): void {
  if (gc === null) {
    // The function is only there for contexts made after the flag was set.
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as Gc; // V8's own
    setFlagsFromString('--no-expose-gc');
  }
  gc({ type: 'major', flavor: 'last-resort' });
}
