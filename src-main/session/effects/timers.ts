/** The named timers of a session, and the delays of those with a fixed length. */

/** How long a run outlives the last client (docs/spec/live-protocol.md, 7). */
export const GRACE_MS = 60_000;
/** How long a REST edit shows its author on the cell (docs/spec/live-protocol.md, 8). */
export const VISITOR_MS = 60_000;
/** Delay before a source that the disk refused is written again. */
export const WRITE_AGAIN_MS = 2_000;

/** Named timers: starting one again restarts its delay. None of them keeps the process alive. */
interface Timers {
  start(name: string, later: { readonly ms: number; readonly act: () => void }): void;
  stop(name: string): void;
  close(): void;
}

/** Creates the timers of one session. */
export function createTimers(): Timers {
  const timers = new Map<string, NodeJS.Timeout>();
  const stop = (name: string): void => {
    clearTimeout(timers.get(name));
    timers.delete(name);
  };
  return {
    start(name, { ms, act }) {
      stop(name);
      const timer = setTimeout(act, ms);
      timer.unref();
      timers.set(name, timer);
    },
    stop,
    close() {
      for (const name of [...timers.keys()]) stop(name);
    },
  };
}
