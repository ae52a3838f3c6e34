/** Interrupts a DuckDB query when its signal is aborted. */

/** Time between two interrupts. */
const INTERVAL_MS = 20;

/**
 * Interrupts once the signal is aborted, and repeats it until the work has ended: an interrupt between two parts of
 * a query is lost when the next part begins. @returns a function that stops it
 */
export function interruptOn(signal: AbortSignal, interrupt: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const begin = (): void => {
    interrupt();
    timer = setInterval(interrupt, INTERVAL_MS);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    if (timer !== null) clearInterval(timer);
  };
}
