import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Bytes made while they are sent: of a length nobody knows yet. */
export interface StreamedBytes {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly contentType: string;
  /** Name of the download; null: shown where it was asked for. */
  readonly fileName: string | null;
}

/**
 * Sends pieces as they come, as fast as the client takes them; a client that leaves ends their making. A failure
 * after the first piece cuts the answer off, so that nobody takes a part for the whole.
 */
export function sendStreamed(bytes: StreamedBytes, reply: FastifyReply): FastifyReply {
  const name = bytes.fileName?.replace(/[^\w.-]/g, '_');
  const body = Readable.from(bytes.pieces, { objectMode: false, highWaterMark: 1024 * 1024 });
  reply.raw.once('close', () => body.destroy());
  return reply
    .headers({
      'Content-Type': bytes.contentType,
      'Content-Disposition': name === undefined ? 'inline' : `attachment; filename="${name}"`,
      'Content-Security-Policy': 'sandbox',
      'Cache-Control': 'private, no-store',
    })
    .send(body);
}
