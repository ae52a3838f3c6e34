import { compileBytecode } from '../../environment/uv/compileBytecode.ts';

/** Compiles the bytecode of a notebook's environment in the background. */
export interface BytecodeWork {
  /** When nothing else of the kind is on. */
  begin(): void;
  /**
   * Ends it, what waits for its turn included: while another environment takes the place of this one, code of the
   * old one must not be compiled into the new one.
   */
  stop(): Promise<void>;
}

export function createBytecodeWork(
  dir: string,
  inBackground: (work: (signal: AbortSignal) => Promise<void>, what: string) => void,
): BytecodeWork {
  let stopping = new AbortController();
  let working: Promise<void> = Promise.resolve();
  return {
    begin() {
      const { signal: stop } = stopping;
      const work = (stopped: AbortSignal): Promise<void> => {
        if (stop.aborted) return Promise.resolve();
        const compiled = compileBytecode(dir, { signal: AbortSignal.any([stopped, stop]) });
        working = compiled.catch(() => undefined); // told to who runs it in the background
        return compiled;
      };
      inBackground(work, 'compiling bytecode failed');
    },
    async stop() {
      stopping.abort();
      stopping = new AbortController();
      await working;
    },
  };
}
