/** Compiles the bytecode of a notebook's packages in the background after its environment changed. */

import { compileBytecode } from '../../environment/uv/compileBytecode.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';

/** Compiles the bytecode of a notebook's environment in the background. */
interface BytecodeWork {
  /** Starts unless one is already running. */
  begin(): void;
  /**
   * Ends it, also while it waits for its turn: code of the old environment must not be compiled into the one
   * that replaces it.
   */
  stop(): Promise<void>;
}

/** Creates the bytecode work of one session. */
export function createBytecodeWork(
  dir: NotebookFolder,
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
        working = compiled.catch(() => undefined); // reported to the caller that runs it in the background
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
