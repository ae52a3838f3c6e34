/**
 * Random and malformed input on the live socket of a test server: it is answered by an `error` frame or a documented
 * close, and does not disturb other sockets.
 */

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { pick, seeded } from '../../../e2e/support/seeded.ts';
import { CLIENT_FRAMES } from '../../../src-shared/wire/frames/client.ts';
import { sampleCell } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { type MemorySession, MemorySessions } from '../testing/memorySessions.ts';
import { startTestServer, type TestServer } from '../testing/testServer.ts';

const SEEDS = process.env['LONG'] === '1' ? 2_000 : 200;
/**
 * Of docs/spec/live-protocol.md, 9, 2, and the codes of the WebSocket library for bytes that are not WebSocket frames
 * (RFC 6455).
 */
const DOCUMENTED_CLOSES = new Set([1000, 1002, 1007, 1009, 1011, 1006]);

let server: TestServer;
let session: MemorySession;
let address = '';
beforeAll(async () => {
  server = await startTestServer({ sessions: new MemorySessions({ cells: [sampleCell({ id: 'a' })] }) });
  session = await server.sessions.open(notebookFolder('/nb'));
  address = `ws://127.0.0.1:${server.port}/v1/notebooks/ws/${session.id}`;
});
afterAll(() => server.close());

/** Sends the messages and then a sync: returns the errors and the state, or the close code. */
async function attack(
  send: (socket: WebSocket) => void,
): Promise<{ errors: string[]; closed: number | null }> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  const errors: string[] = [];
  const closeCode = new Promise<number | null>((resolve) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      if (frame.type === 'error') errors.push(frame.payload.error);
      if (frame.type === 'notebook_state') resolve(null);
    });
    socket.on('close', (code) => resolve(code));
  });
  send(socket);
  if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"notebook_sync"}');
  const closed = await closeCode;
  if (closed === null) {
    socket.close();
    await once(socket, 'close');
  }
  return { errors, closed };
}

const WRONG: readonly unknown[] = [
  null,
  0,
  -1.5,
  true,
  '',
  '\u0000',
  [],
  [1],
  {},
  { a: 1 },
  'x'.repeat(70_000),
  '../../a',
];

describe('[LP-5] frames against a server’s socket', () => {
  it.each(Object.keys(CLIENT_FRAMES))('%s with each field as each wrong type', async (type) => {
    const { shape } = CLIENT_FRAMES[type as keyof typeof CLIENT_FRAMES].payload;
    const good = {
      cell_id: 'a',
      source: 's',
      test_source: '',
      plan_id: 'p',
      group: 'g',
      name: 'n',
      package: 'p',
    };
    const { closed } = await attack((socket) => {
      for (const field of Object.keys(shape)) {
        for (const wrong of WRONG)
          socket.send(JSON.stringify({ type, payload: { ...good, [field]: wrong } }));
      }
      for (const payload of WRONG) socket.send(JSON.stringify({ type, payload }));
    });
    expect(closed).toBeNull();
    session.finishRun();
  });

  it('text that is truncated, mixed up or not text', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = seeded(seed);
      const { closed } = await attack((socket) => {
        const type = pick(random, Object.keys(CLIENT_FRAMES));
        const text = JSON.stringify({
          type,
          payload: { cell_id: pick(random, ['a', 'nope']), values: {} },
          seq: 1,
        });
        const bytes = Buffer.from(text);
        const place = Math.floor(random() * bytes.length);
        const roll = random();
        if (roll < 0.4) socket.send(text.slice(0, place));
        else if (roll < 0.6)
          socket.send(
            bytes.map((byte, at) => (at === place ? random() * 256 : byte)),
            { binary: false },
          );
        else if (roll < 0.8) socket.send(Buffer.from(Array.from({ length: place }, () => random() * 256)));
        else socket.send(`${'['.repeat(place * 200)}`);
      });
      expect(closed === null || DOCUMENTED_CLOSES.has(closed), `seed ${seed}: ${closed}`).toBe(true);
      session.finishRun();
    }
  });

  it('a binary message is read as text', async () => {
    const { errors, closed } = await attack((socket) => socket.send(Buffer.from('{"type":"hello"}')));
    expect([errors, closed]).toEqual([['Unknown message type: hello'], null]);
  });

  it('[LP-5] a binary message that is not UTF-8 closes its socket and has no effect', async () => {
    const text = Buffer.from('{"type":"hello \xff\xfe"}', 'latin1');
    expect(await attack((socket) => socket.send(text))).toEqual({ errors: [], closed: 1011 });
  });

  it('a flood is answered frame by frame, while another socket is served', async () => {
    const flood = attack((socket) => {
      for (let at = 0; at < 5_000; at += 1) socket.send('{"type":"cell_execute","payload":{}}');
    });
    const { closed } = await attack(() => undefined);
    expect(closed).toBeNull();
    expect((await flood).errors.length).toBe(5_000);
  });

  it('leaves nothing behind, and the server still answers', async () => {
    const requestTypes = session.asked.map(({ request }) => request.type);
    const count = (type: string): number => requestTypes.filter((one) => one === type).length;
    await expect
      .poll(() => session.asked.filter(({ request }) => request.type === 'leave').length)
      .toBe(count('join'));
    expect((await server.fetch(`/v1/notebooks/${session.id}/cells`)).status).toBe(200);
    expect(server.logged.filter((line) => line.includes('handling a frame failed'))).toEqual([]);
  });
});
