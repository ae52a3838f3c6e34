import type { ServerResponse } from 'node:http';

/** What is waited for of an answer: that it is closed, be it sent or given up. */
type Answer = Pick<ServerResponse, 'once' | 'destroyed'>;

/**
 * Calls a worker is at work for. One is over when its work is done and its answer has gone, or whoever asked has: a
 * bundle that is still being sent or uploaded counts.
 */
export class InFlight {
  readonly #calls = new Set<symbol>();
  #onIdle: (() => void)[] = [];

  get count(): number {
    return this.#calls.size;
  }

  /** @throws what `work` throws */
  async during<T>(answer: Answer, work: () => Promise<T>): Promise<T> {
    const call = Symbol('call');
    this.#calls.add(call);
    const over = (): void => {
      this.#calls.delete(call);
      if (this.#calls.size > 0) return;
      for (const done of this.#onIdle.splice(0)) done();
    };
    let isAnswered = false;
    let isDone = false;
    answer.once('close', () => {
      isAnswered = true;
      if (isDone) over();
    });
    try {
      return await work();
    } finally {
      isDone = true;
      if (isAnswered || answer.destroyed) over();
    }
  }

  /** Until there is none, or the time is up. @returns whether there is none */
  async settled(ms: number): Promise<boolean> {
    if (this.#calls.size === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      this.#onIdle.push(done);
      timer = setTimeout(done, ms);
    });
    clearTimeout(timer);
    return this.#calls.size === 0;
  }
}
