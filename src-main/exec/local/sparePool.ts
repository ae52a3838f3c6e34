/**
 * A pool of Python interpreters that are started in advance, so that a run need not wait for one to start. Used where
 * forking is unsafe.
 */

import { SingleProcess, type SingleProcessOptions } from './singleProcess.ts';

interface SparePoolOptions extends SingleProcessOptions {
  readonly size: number;
  readonly imports: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * The spare interpreters of one environment. Each is used once and replaced when taken. After two spares in a
 * row that die while loading, the pool stays empty until the next run asks for one, so that an import that kills its
 * process does not cause an endless loop.
 */
export class SparePool {
  readonly #options: SparePoolOptions;
  readonly #spares = new Set<SingleProcess>();
  #failures = 0;
  #closed = false;

  constructor(options: SparePoolOptions) {
    this.#options = options;
    this.#fill();
  }

  /** Takes a ready spare out of the pool; null when none is ready. */
  take(): SingleProcess | null {
    const spare = [...this.#spares].find((candidate) => candidate.ready) ?? null;
    if (spare !== null) this.#spares.delete(spare);
    this.#failures = 0;
    this.#fill();
    return spare;
  }

  /** Resolves when every spare started so far is ready or has ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#spares].map((spare) => spare.settled()));
  }

  pids(): readonly number[] {
    return [...this.#spares].flatMap((spare) => spare.pid ?? []);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const spares = [...this.#spares];
    for (const spare of spares) spare.kill();
    await Promise.all(spares.map((spare) => spare.ended));
  }

  #fill(): void {
    while (!this.#closed && this.#failures < 2 && this.#spares.size < this.#options.size) {
      const spare = SingleProcess.spare(this.#options, this.#options);
      this.#spares.add(spare);
      void spare.ended.then(() => {
        if (!this.#spares.delete(spare)) return;
        this.#failures += 1;
        this.#fill();
      });
    }
  }
}
