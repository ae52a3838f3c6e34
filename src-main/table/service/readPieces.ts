/** Reads the pieces of a table export from the table thread, a few ahead of the reader. */

/** How many pieces are made while the reader is still busy with earlier ones. */
const PREPARED_PIECES = 3;

/** Makes the pieces. `next` is called again before earlier calls have resolved, `end` once when no more are needed. */
interface PieceSource {
  next(): Promise<Uint8Array | null>;
  end(): void;
}

/**
 * Reads a source to its end, a few pieces ahead, so that a slow reader delays the source only then. `end` is called
 * once, whether the reader finished, left, or an error occurred.
 */
export function readPieces(source: PieceSource): AsyncIterable<Uint8Array> {
  const ahead: Promise<Uint8Array | null>[] = [];
  let isEnded = false;
  const end = (): void => {
    if (!isEnded) source.end();
    isEnded = true;
  };
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    while (!isEnded && ahead.length < PREPARED_PIECES) {
      const piece = source.next();
      // Awaited in its turn; until then an error must not count as unhandled.
      piece.catch(() => undefined);
      ahead.push(piece);
    }
    const piece = await Promise.resolve(ahead.shift() ?? null).catch((error: unknown) => {
      end();
      throw error;
    });
    if (piece !== null && !isEnded) return { done: false, value: piece };
    end();
    return { done: true, value: undefined };
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        end();
        return { done: true, value: undefined };
      },
    }),
  };
}
