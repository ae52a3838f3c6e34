/** Runs requests that read a complete table (summaries, distributions) one at a time. */

/** The last queued request. Requests that read a complete table run one at a time, so that they do not delay pages. */
let last: Promise<unknown> = Promise.resolve();

/** Runs a request after all earlier ones. Returns a function that cancels it. */
export function askInTurn(ask: (signal: AbortSignal) => Promise<void>): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  last = last
    .then(() => (signal.aborted ? undefined : ask(signal)))
    .catch((error: unknown) => {
      if (!signal.aborted) console.error('the columns could not be summarised', error);
    });
  return () => stop.abort();
}
