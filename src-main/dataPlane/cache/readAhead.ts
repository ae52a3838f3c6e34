/** Produces the next value while the reader uses the previous one. If the reader stops, the source ends. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const values = source[Symbol.asyncIterator]();
  const start = (): Promise<IteratorResult<T>> => {
    const next = values.next();
    // It is awaited below; after the reader has stopped, its failure does not matter.
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
