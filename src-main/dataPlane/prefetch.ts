/** The number of concurrent fetches (core-services 2). */
const MOST = 4;

/** Work done in advance of a client's request. */
export interface AheadWork {
  /** Ends it. Its resources are free when this resolves. */
  end(): Promise<void>;
}

const NONE: AheadWork = { end: async () => undefined };

/**
 * Fetches the first row group of a stream before the client requests it, so that the first rows arrive sooner. At most
 * four fetches run at once; further streams are not prefetched.
 */
export class Prefetch {
  readonly #running = new Set<AheadWork>();
  #isClosed = false;

  /** @param fetch the scan itself repeats and reports its failure */
  start(fetch: (signal: AbortSignal) => Promise<void>): AheadWork {
    if (this.#isClosed || this.#running.size >= MOST) return NONE;
    const ending = new AbortController();
    const done = fetch(ending.signal)
      .catch(() => undefined)
      .finally(() => this.#running.delete(work));
    const work: AheadWork = {
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
