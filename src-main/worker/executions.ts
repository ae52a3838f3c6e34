import { runRefusal } from './refusal.ts';

/** One admitted execution, from its admission to its answer. */
export interface Execution {
  /** Aborts when somebody cancels it or the worker stops. */
  readonly signal: AbortSignal;
  /** Before each step that precedes the harness. @throws WorkerRefusal 409 once it was cancelled */
  check(): void;
  /** From here on a cancel ends processes; `ended` is when they are gone. */
  harnessStarts(ended: Promise<unknown>): void;
  close(): void;
}

interface Running {
  readonly stop: AbortController;
  harness: Promise<unknown> | null;
}

/** What is in flight, by build id (worker-protocol 9). */
export class Executions {
  readonly #byBuild = new Map<string, Set<Running>>();
  readonly #all = new Set<Running>();

  open(buildId: string | null): Execution {
    const running: Running = { stop: new AbortController(), harness: null };
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
      harnessStarts(ended) {
        running.harness = ended;
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

  /** Resolves when every process of it is gone. @returns whether anything of that id was in flight */
  async cancel(buildId: string): Promise<boolean> {
    const same = [...(this.#byBuild.get(buildId) ?? [])];
    await Promise.all(same.map(stopped));
    return same.length > 0;
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#all].map(stopped));
  }
}

async function stopped(running: Running): Promise<void> {
  running.stop.abort();
  await running.harness?.catch(() => {}); // Its failure is told to who asked for the run.
}
