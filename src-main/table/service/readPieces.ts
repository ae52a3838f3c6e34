/** Pieces made while the reader is still busy with the ones before. */
const AHEAD = 3;

/** What makes the pieces: asked one at a time, told once when nobody wants more. */
export interface PieceSource {
  next(): Promise<Uint8Array | null>;
  end(): void;
}

/**
 * Reads a source to its end, a few pieces ahead: a reader that waits holds its maker up no longer than that. The
 * source is told its end once, whether the reader came that far, left, or an error came first.
 */
export function readPieces(source: PieceSource): AsyncIterable<Uint8Array> {
  const ahead: Promise<Uint8Array | null>[] = [];
  let ended = false;
  const end = (): void => {
    if (!ended) source.end();
    ended = true;
  };
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    while (!ended && ahead.length < AHEAD) {
      const piece = source.next();
      // It is waited for in its turn; until then its failure is nobody's.
      piece.catch(() => undefined);
      ahead.push(piece);
    }
    const piece = await Promise.resolve(ahead.shift() ?? null).catch((error: unknown) => {
      end();
      throw error;
    });
    if (piece !== null && !ended) return { done: false, value: piece };
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
