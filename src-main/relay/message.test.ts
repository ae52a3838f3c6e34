import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../e2e/support/seeded.ts';
import { MAX_CHUNK_BYTES, MAX_MESSAGE_BYTES, type RelayFrame } from '../../src-shared/wire/worker/relay.ts';
import { readMessage, textOf } from './message.ts';
import { type MessageSocket, Outgoing } from './outgoing.ts';

const RUNS = process.env['LONG'] === '1' ? 1_000 : 100;
const plain: RelayFrame = { type: 'request', id: 1, method: 'GET', path: '/', query: '', headers: [] };

describe('readMessage', () => {
  const id = fc.integer({ min: 1, max: 2 ** 32 - 1 });
  const headers = fc.array(fc.tuple(fc.string(), fc.string()));
  const frame: fc.Arbitrary<RelayFrame> = fc.oneof(
    fc.record({
      type: fc.constant('request' as const),
      id,
      method: fc.string(),
      path: fc.string(),
      query: fc.string(),
      headers,
    }),
    fc.record({ type: fc.constantFrom('end' as const, 'abort' as const), id }),
    fc.record({
      type: fc.constant('response' as const),
      id,
      status: fc.integer({ min: 200, max: 599 }),
      headers,
    }),
  );

  it('[RL-1] every frame is decoded unchanged, repeated headers in their order', () => {
    fc.assert(
      fc.property(frame, (sent) => {
        expect(readMessage(Buffer.from(textOf(sent)), false)).toEqual({ kind: 'frame', frame: sent });
      }),
      { numRuns: RUNS },
    );
  });

  const ROWS: readonly (readonly [what: string, text: string, frame: RelayFrame | null])[] = [
    ['only type and id', '{"type":"request","id":1}', plain],
    ['keys of a later version', '{"type":"request","id":1,"priority":3}', plain],
    ['the largest id', '{"type":"end","id":4294967295}', { type: 'end', id: 4294967295 }],
    ['id 0', '{"type":"end","id":0}', null],
    ['an id beyond 32 bits', '{"type":"end","id":4294967296}', null],
    ['an id that is not an integer', '{"type":"end","id":1.5}', null],
    ['an id as text', '{"type":"end","id":"1"}', null],
    ['no id', '{"type":"end"}', null],
    ['an unknown type', '{"type":"hello","id":1}', null],
    ['headers as an object', '{"type":"request","id":1,"headers":{"a":"b"}}', null],
    ['an invalid status', '{"type":"response","id":1,"status":99}', null],
    ['not an object', '[1]', null],
    ['not JSON', 'hello', null],
    ['nothing', '', null],
  ];
  for (const [what, text, expected] of ROWS) {
    it(`[RL-2] text: ${what}`, () => {
      const read = readMessage(Buffer.from(text), false);
      expect(read).toEqual(expected === null ? null : { kind: 'frame', frame: expected });
    });
  }

  it('[RL-2] binary without a complete id, or for id 0, is ignored', () => {
    const read = ['', '00', '000001', '00000000', '0000000041'].map((hex) =>
      readMessage(Buffer.from(hex, 'hex'), true),
    );
    expect(read).toEqual([null, null, null, null, null]);
  });

  it('[RL-2] no message makes it throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 64 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        fc.boolean(),
        (bytes, isBinary) => {
          readMessage(Buffer.from(bytes), isBinary);
        },
      ),
      { numRuns: RUNS * 10 },
    );
  });
});

/** A network that takes a message on request; until then its bytes must not change. */
class SlowSocket implements MessageSocket {
  readonly messages: (string | Buffer)[] = [];
  #taken = 0;
  #waiting: (() => void)[] = [];

  send(message: string | Buffer, sent: () => void): void {
    this.messages.push(message);
    this.#waiting.push(sent);
  }

  /** Takes the oldest message; false when none waits. */
  take(): boolean {
    const sent = this.#waiting.shift();
    if (sent === undefined) return false;
    const message = this.messages[this.#taken];
    if (message instanceof Buffer) this.messages[this.#taken] = Buffer.from(message);
    this.#taken += 1;
    sent();
    return true;
  }

  /** Per stream: the first frame, the body put together, the last frame. */
  streams(): ReadonlyMap<number, { readonly frames: string[]; readonly pieces: Buffer[] }> {
    const streams = new Map<number, { readonly frames: string[]; readonly pieces: Buffer[] }>();
    const of = (id: number) => {
      const stream = streams.get(id) ?? { frames: [], pieces: [] };
      streams.set(id, stream);
      return stream;
    };
    for (const message of this.messages) {
      const read = readMessage(Buffer.from(message), typeof message !== 'string');
      if (read?.kind === 'frame') of(read.frame.id).frames.push(read.frame.type);
      if (read?.kind === 'chunk') of(read.id).pieces.push(read.bytes);
    }
    return streams;
  }
}

const request = (id: number): RelayFrame => ({ ...plain, id });

describe('Outgoing', () => {
  it('[RL-3] any body, split in any way and mixed with others, arrives unchanged and in messages within the limit', async () => {
    for (let seed = 1; seed <= RUNS / 10; seed += 1) {
      const random = seeded(seed);
      const socket = new SlowSocket();
      const outgoing = new Outgoing(socket);
      const window = random() < 0.5 ? null : 2;
      const bodies = new Map<number, Buffer>();
      let writing = 0;
      const write = async (id: number) => {
        writing += 1;
        const stream = outgoing.open(request(id), window);
        const pieces: Buffer[] = [];
        for (let piece = 0; piece < random() * 6; piece += 1) {
          const bytes = Buffer.alloc(
            Math.floor(random() ** 6 * 3 * MAX_CHUNK_BYTES),
            Math.floor(random() * 256),
          );
          pieces.push(bytes);
          const room = stream.write(bytes);
          if (window !== null) stream.grant(Math.ceil(bytes.length / 65_536));
          await room;
        }
        stream.end();
        stream.grant(1_000);
        bodies.set(id, Buffer.concat(pieces));
        writing -= 1;
      };
      const written = Array.from({ length: 5 }, (_none, n) => write(n + 1));
      while (socket.take() || writing > 0) await Promise.resolve();
      await Promise.all(written);
      while (socket.take());
      const streams = socket.streams();
      for (const [id, body] of bodies) {
        const sent = streams.get(id);
        expect([seed, id, sent?.frames]).toEqual([seed, id, ['request', 'end']]);
        expect(Buffer.concat(sent?.pieces ?? []).equals(body), `seed ${seed}, stream ${id}`).toBe(true);
      }
      const longest = Math.max(...socket.messages.map((message) => message.length));
      expect(longest).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
    }
  });

  it('[RL-4] a short stream overtakes a hundred long ones', () => {
    const socket = new SlowSocket();
    const outgoing = new Outgoing(socket);
    for (let id = 1; id <= 100; id += 1) void outgoing.open(request(id)).write(Buffer.alloc(MAX_CHUNK_BYTES));
    for (let turn = 0; turn < 150; turn += 1) socket.take();
    const before = socket.messages.length;
    outgoing.open(request(101)).end();
    for (let turn = 0; turn < 3; turn += 1) socket.take();
    const ids = socket.messages.slice(before, before + 2).map((message) => String(message));
    expect(ids.map((text) => text.slice(0, 200))).toEqual([
      textOf(request(101)),
      textOf({ type: 'end', id: 101 }),
    ]);
  });

  it('[RL-5] a writer waits while much of its stream is queued, and continues when the stream is cancelled', async () => {
    const socket = new SlowSocket();
    const outgoing = new Outgoing(socket);
    const waits = ['drop', 'abort', 'close'].map((how, n) => {
      const stream = outgoing.open(request(n + 1));
      const room = stream.write(Buffer.alloc(4 * MAX_CHUNK_BYTES));
      return { how, stream, room };
    });
    expect(waits.every(({ room }) => room !== null)).toBe(true);
    waits[0]?.stream.drop();
    waits[1]?.stream.abort();
    outgoing.close();
    await Promise.all(waits.map(({ room }) => room));
  });

  it('[RL-6] sends no more chunks than the other end may have unread', () => {
    const socket = new SlowSocket();
    const outgoing = new Outgoing(socket);
    const stream = outgoing.open(request(1), 3);
    void stream.write(Buffer.alloc(20 * MAX_CHUNK_BYTES));
    const chunks = () => {
      while (socket.take());
      return socket.messages.filter((message) => typeof message !== 'string').length;
    };
    const chunkCounts = [chunks()];
    stream.grant(2);
    chunkCounts.push(chunks());
    expect(chunkCounts).toEqual([3, 5]);
  });
});
