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
