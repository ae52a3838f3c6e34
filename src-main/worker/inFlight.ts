/** Counts the requests that a worker is processing, so that it does not stop before they end. */

import type { ServerResponse } from 'node:http';

/** The part of a response that is observed: whether it is closed or aborted. */
type Response = Pick<ServerResponse, 'once' | 'destroyed'>;

/**
 * The requests that a worker is processing. A request ends when its work is done and its response is sent, or its
 * client has disconnected. So a bundle that is still being sent or uploaded counts.
 */
export class InFlight {
  readonly #calls = new Set<symbol>();
  #onIdle: (() => void)[] = [];

  get count(): number {
    return this.#calls.size;
  }

  /** Counts a request during `work`. @throws what `work` throws */
  async during<T>(response: Response, work: () => Promise<T>): Promise<T> {
    const call = Symbol('call');
    this.#calls.add(call);
    const end = (): void => {
      this.#calls.delete(call);
      if (this.#calls.size > 0) return;
      for (const resume of this.#onIdle.splice(0)) resume();
    };
    let isClosed = false;
    let isDone = false;
    response.once('close', () => {
      isClosed = true;
      if (isDone) end();
    });
    try {
      return await work();
    } finally {
      isDone = true;
      if (isClosed || response.destroyed) end();
    }
  }

  /** Waits until there are no requests, at most `ms`. @returns whether there are none */
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
