/**
 * A replacement for `AbortSignal.any`, which anywidget needs and the Chromium 108 of the older desktop version lacks.
 */
export function anySignal(signals: Iterable<AbortSignal>): AbortSignal {
  const all = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) {
      all.abort(signal.reason);
      break;
    }
    signal.addEventListener('abort', () => all.abort(signal.reason), { once: true, signal: all.signal });
  }
  return all.signal;
}
