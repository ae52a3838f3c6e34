/** The framing of the Language Server Protocol: a header with the length, then that many bytes of JSON. */

/** Much longer than any answer of a language server; a longer message is invalid. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_HEADER_BYTES = 4096;
const HEADER_END = Buffer.from('\r\n\r\n');

/** The error for a stream that does not follow the protocol: the rest of it cannot be read. */
export class FramingError extends Error {}

export function frameOf(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Assembles messages from chunks of any size. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #size = 0;
  /** The total bytes of the current message with its header; null if the header has not arrived yet. */
  #wanted: { readonly header: number; readonly total: number } | null = null;

  /**
   * @returns the messages that are complete now, in order
   * @throws FramingError if the stream does not follow the protocol
   */
  push(piece: Buffer): readonly unknown[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    const messages: unknown[] = [];
    for (let message = this.#next(); message !== undefined; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): unknown {
    if (this.#wanted === null) {
      const bytes = this.#joined();
      const end = bytes.indexOf(HEADER_END);
      if (end === -1) {
        if (this.#size > MAX_HEADER_BYTES) throw new FramingError('a header without an end');
        return undefined;
      }
      const length = /^content-length: *(\d+) *$/im.exec(bytes.toString('latin1', 0, end))?.[1];
      if (length === undefined) throw new FramingError('a header without a length');
      if (Number(length) > MAX_MESSAGE_BYTES) throw new FramingError('a message that is too long');
      const header = end + HEADER_END.length;
      this.#wanted = { header, total: header + Number(length) };
    }
    const { header, total } = this.#wanted;
    if (this.#size < total) return undefined;
    const bytes = this.#joined();
    this.#wanted = null;
    this.#pieces = [bytes.subarray(total)];
    this.#size = bytes.length - total;
    return parse(bytes.toString('utf8', header, total));
  }

  #joined(): Buffer {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [bytes];
    return bytes;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FramingError('a message that is not JSON');
  }
}
