/** The runs that are active on a worker, so that they can be cancelled. */

import { runRefusal } from './refusal.ts';

/** An execution from its admission to its response. */
export interface Execution {
  /** Aborts when the execution is cancelled or the worker stops. */
  readonly signal: AbortSignal;
  /** Called before each step that precedes the harness. @throws WorkerRefusal 409 after a cancel */
  check(): void;
  /**
   * Call when the harness starts: from then on, a cancel ends processes.
   * @param harnessEnd settles when they have ended
   */
  harnessStarts(harnessEnd: Promise<unknown>): void;
  close(): void;
}

interface ActiveExecution {
  readonly stop: AbortController;
  harness: Promise<unknown> | null;
}

/** The active executions by build id (docs/spec/worker-protocol.md, 9). */
export class Executions {
  readonly #byBuild = new Map<string, Set<ActiveExecution>>();
  readonly #all = new Set<ActiveExecution>();

  open(buildId: string | null): Execution {
    const running: ActiveExecution = { stop: new AbortController(), harness: null };
    this.#all.add(running);
    if (buildId !== null) {
      const same = this.#byBuild.get(buildId) ?? new Set();
      this.#byBuild.set(buildId, same.add(running));
    }
    const { signal } = running.stop;
    return {
      signal,
      check() {
        if (signal.aborted) throw runRefusal(409, 'execution was cancelled');
      },
      harnessStarts(harnessEnd) {
        running.harness = harnessEnd;
      },
      close: () => {
        this.#all.delete(running);
        if (buildId === null) return;
        const same = this.#byBuild.get(buildId);
        same?.delete(running);
        if (same?.size === 0) this.#byBuild.delete(buildId);
      },
    };
  }

  /** Resolves when all processes of the build have ended. @returns whether there was an execution of that id */
  async cancel(buildId: string): Promise<boolean> {
    const same = [...(this.#byBuild.get(buildId) ?? [])];
    await Promise.all(same.map(stop));
    return same.length > 0;
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#all].map(stop));
  }
}

async function stop(running: ActiveExecution): Promise<void> {
  running.stop.abort();
  await running.harness?.catch(() => {}); // The caller of the run gets its failure.
}
