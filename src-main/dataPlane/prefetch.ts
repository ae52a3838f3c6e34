/** Fetches that are under way at once (core-services 2). */
const MOST = 4;

/** Work that is done before a client asks for it. */
export interface AheadWork {
  /** Ends it. What it holds is free once this resolves. */
  end(): Promise<void>;
}

const NONE: AheadWork = { end: async () => undefined };

/**
 * Fetches the first row group of promised streams, so that a client that comes a moment later gets its first rows sooner. With four
 * under way, further streams do without.
 */
export class Prefetch {
  readonly #running = new Set<AheadWork>();
  #isClosed = false;

  /** @param fetch its failure is met again, and reported, by the scan itself */
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
