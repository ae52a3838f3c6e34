import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Bytes made while they are sent: of a length nobody knows yet. */
export interface StreamedBytes {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Told of each piece once the network has taken it: its memory may be written to again. */
  readonly release?: (piece: Uint8Array) => void;
  readonly contentType: string;
  /** Name of the download; null: shown where it was asked for. */
  readonly fileName: string | null;
}

const AHEAD_BYTES = 1024 * 1024;

/**
 * Sends pieces as they come, as fast as the client takes them; a client that leaves ends their making. A failure
 * after the first piece cuts the answer off, so that nobody takes a part for the whole.
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

/** The header of a download: its name in ASCII for any client, and as it is where that says less (RFC 6266). */
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
 * The pieces as a stream, and each given back once fewer bytes wait than were pushed after it. `waiting`: bytes that
 * left the stream and not yet this process.
 */
export function bodyOf(
  { pieces, release }: Pick<StreamedBytes, 'pieces' | 'release'>,
  waiting: () => number,
): Readable {
  const iterator = pieces[Symbol.asyncIterator]();
  /** Pushed and not given back, oldest first. */
  const out: Uint8Array[] = [];
  let after = 0;
  const giveBack = (): void => {
    const held = body.readableLength + waiting();
    for (let [oldest] = out; oldest !== undefined; [oldest] = out) {
      if (after - oldest.byteLength < held) return;
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
      const ended = iterator.return?.() ?? Promise.resolve();
      ended.then(
        () => done(error),
        (problem: Error) => done(error ?? problem),
      );
    },
  });
  return body;
}
