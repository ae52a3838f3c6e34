import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bodyOf } from './streamedBytes.ts';

const PIECE = 1 << 20;
const PIECES = 40;

/** Pieces of one letter each; the memory of a released piece is used for the next one. */
function source() {
  const spare: Uint8Array[] = [];
  let count = 0;
  let released = 0;
  return {
    made: () => count,
    released: () => released,
    release(piece: Uint8Array) {
      released += 1;
      // A reader that still uses the piece gets this.
      piece.fill(0);
      spare.push(piece);
    },
    async *pieces() {
      for (let at = 0; at < PIECES; at += 1) {
        const piece = spare.shift() ?? new Uint8Array(new SharedArrayBuffer(PIECE));
        count += 1;
        piece.fill(65 + (at % 26));
        yield piece;
      }
    },
  };
}

const expected = Buffer.concat(
  Array.from({ length: PIECES }, (_, at) => Buffer.alloc(PIECE, 65 + (at % 26))),
);

const READERS: Readonly<Record<string, (response: IncomingMessage) => Promise<Buffer>>> = {
  quick: async (response) => Buffer.concat(await response.toArray()),
  slow: async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk);
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    }
    return Buffer.concat(chunks);
  },
};

test.each(Object.entries(READERS))(
  '[VA-34] a %s reader gets every piece intact although its memory is reused',
  async (_, read) => {
    const input = source();
    const server = createServer((_request, response) => {
      bodyOf({ pieces: input.pieces(), release: input.release }, () => response.writableLength).pipe(
        response,
      );
    }).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo; // it listens on a port
      const response = await new Promise<IncomingMessage>((resolve) =>
        get({ port, host: '127.0.0.1' }, resolve),
      );
      const bytes = await read(response);
      expect(bytes.length).toBe(expected.length);
      expect(bytes.equals(expected)).toBe(true);
      expect(input.released()).toBeGreaterThan(PIECES / 2);
    } finally {
      server.close();
    }
  },
);

test('[VA-34] a reader that disconnects ends the source', async () => {
  const input = source();
  let hasEnded = false;
  async function* pieces() {
    try {
      yield* input.pieces();
    } finally {
      hasEnded = true;
    }
  }
  const body = bodyOf({ pieces: pieces() }, () => 0);
  await once(body, 'readable');
  body.destroy();
  await once(body, 'close');
  expect(hasEnded).toBe(true);
  expect(input.made()).toBeLessThan(PIECES);
});
