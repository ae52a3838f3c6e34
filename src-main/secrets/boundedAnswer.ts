/** Reads the answer of a secret manager up to a maximum size. */

/**
 * The maximum size of an answer in bytes: enough for thousands of secrets; an endless stream from a wrong URL must not
 * fill memory.
 */
export const MAX_BYTES = 4 * 1024 * 1024;

/** The text of a response; null if it is longer than MAX_BYTES. */
export async function boundedText(response: Response): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
