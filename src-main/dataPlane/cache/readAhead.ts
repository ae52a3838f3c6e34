/** Makes the next value while the reader uses the one before. A reader that stops ends the source. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const values = source[Symbol.asyncIterator]();
  const start = (): Promise<IteratorResult<T>> => {
    const next = values.next();
    // It is awaited below, or its failure is of no interest once the reader has stopped.
    next.catch(() => undefined);
    return next;
  };
  let next = start();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = start();
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await values.return?.();
  }
}
