/** What reads a whole table is asked one at a time, so that pages never wait for many. */
let last: Promise<unknown> = Promise.resolve();

/** Asks after all that was asked before. What it answers with takes back the question. */
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
