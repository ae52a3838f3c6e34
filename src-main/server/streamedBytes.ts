/** Sends bytes of unknown length while they are made, such as exports and logs. */

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Bytes made while they are sent, with an unknown length. */
export interface StreamedBytes {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Called with each piece that was written to the network: its memory may be reused. */
  readonly release?: (piece: Uint8Array) => void;
  readonly contentType: string;
  /** Name of the download; null: shown inline. */
  readonly fileName: string | null;
}

const AHEAD_BYTES = 1024 * 1024;

/**
 * Sends pieces as they are made, as fast as the client reads them. If the client disconnects, the source ends. A
 * failure after the first piece breaks the connection, so that the client does not take a part for the whole.
 */
export function sendStreamed(bytes: StreamedBytes, reply: FastifyReply): FastifyReply {
  const body = bodyOf(bytes, () => reply.raw.writableLength);
  reply.raw.once('close', () => body.destroy());
  return reply
    .headers({
      'Content-Type': bytes.contentType,
      'Content-Disposition': bytes.fileName === null ? 'inline' : attachment(bytes.fileName),
      'Content-Security-Policy': 'sandbox',
      'Cache-Control': 'private, no-store',
    })
    .send(body);
}

/** The header of a download: an ASCII name for all clients, and the full name if it has other characters (RFC 6266). */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\w.-]/g, '_');
  if (ascii === fileName) return `attachment; filename="${ascii}"`;
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * The pieces as a stream. Each piece is released once fewer bytes are buffered than were pushed after it. `waiting`:
 * bytes that left the stream but not this process.
 */
export function bodyOf(
  { pieces, release }: Pick<StreamedBytes, 'pieces' | 'release'>,
  waiting: () => number,
): Readable {
  const iterator = pieces[Symbol.asyncIterator]();
  /** Pieces that were pushed and not released, oldest first. */
  const out: Uint8Array[] = [];
  let after = 0;
  const giveBack = (): void => {
    const buffered = body.readableLength + waiting();
    for (let [oldest] = out; oldest !== undefined; [oldest] = out) {
      if (after - oldest.byteLength < buffered) return;
      after -= oldest.byteLength;
      out.shift();
      release?.(oldest);
    }
  };
  const pull = async (): Promise<void> => {
    const { done, value } = await iterator.next();
    if (done === true) {
      body.push(null);
      return;
    }
    if (release !== undefined) {
      out.push(value);
      after += value.byteLength;
    }
    body.push(value);
  };
  const body = new Readable({
    highWaterMark: AHEAD_BYTES,
    read() {
      giveBack();
      pull().catch((error: unknown) =>
        body.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, done) {
      const iteratorEnd = iterator.return?.() ?? Promise.resolve();
      iteratorEnd.then(
        () => done(error),
        (problem: Error) => done(error ?? problem),
      );
    },
  });
  return body;
}
