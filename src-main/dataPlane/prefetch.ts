/** Fetches the first row group of streams before a client requests them. */

/** The number of concurrent fetches (docs/spec/core-services.md, 2). */
const MAX_FETCHES = 4;

/** A fetch that was started before the client's request. */
export interface Prefetching {
  /** Ends it. Its resources are free when this resolves. */
  end(): Promise<void>;
}

const NONE: Prefetching = { end: async () => undefined };

/**
 * Fetches the first row group of a stream before the client requests it, so that the first rows arrive sooner. At most
 * four fetches run at once; further streams are not prefetched.
 */
export class Prefetch {
  readonly #running = new Set<Prefetching>();
  #isClosed = false;

  /** @param fetch the scan itself repeats and reports its failure */
  start(fetch: (signal: AbortSignal) => Promise<void>): Prefetching {
    if (this.#isClosed || this.#running.size >= MAX_FETCHES) return NONE;
    const ending = new AbortController();
    const done = fetch(ending.signal)
      .catch(() => undefined)
      .finally(() => this.#running.delete(work));
    const work: Prefetching = {
      async end() {
        ending.abort(new Error('the stream is over'));
        await done;
      },
    };
    this.#running.add(work);
    return work;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((work) => work.end()));
  }
}
