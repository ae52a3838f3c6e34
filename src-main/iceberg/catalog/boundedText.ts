/** Maximum size of a response; a table's metadata is one response. */
const LARGEST_ANSWER = 256 * 1024 ** 2;

/**
 * The text of a catalog's HTTP response.
 * @throws `tooLong` above 256 MiB
 */
export async function boundedText(response: Response, tooLong: () => Error): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > LARGEST_ANSWER) throw tooLong();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
