/** How long a run outlives the last client (live-protocol 7). */
export const GRACE_MS = 60_000;
/** How long a REST edit keeps its author on the cell (live-protocol 8). */
export const VISITOR_MS = 60_000;
/** How long after a disk refused a source it is tried again. */
export const WRITE_AGAIN_MS = 2_000;

/** Things to do later, by name: starting one again puts it off. None of them keeps the process alive. */
export interface Timers {
  start(name: string, later: { readonly ms: number; readonly act: () => void }): void;
  stop(name: string): void;
  close(): void;
}

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
