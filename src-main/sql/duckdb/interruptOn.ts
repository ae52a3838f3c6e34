/** Between two interrupts. */
const AGAIN_MS = 20;

/**
 * Interrupts once the signal is aborted, again and again until the work is over: one that comes between two pieces of
 * a query is forgotten when the next begins. @returns ends it
 */
export function interruptOn(signal: AbortSignal, interrupt: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const begin = (): void => {
    interrupt();
    timer = setInterval(interrupt, AGAIN_MS);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return () => {
    signal.removeEventListener('abort', begin);
    if (timer !== null) clearInterval(timer);
  };
}
