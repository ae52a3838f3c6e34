/**
 * The live WebSocket of a notebook, over a real server with a session in memory: upgrade, frames, viewers,
 * slow clients, and closing.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { ServerFrame } from '../../../src-shared/wire/frames/server.ts';
import { sampleCell } from '../../../src-shared/wire/testing/sampleNotebook.ts';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { type MemorySession, MemorySessions } from '../testing/memorySessions.ts';
import { startTestServer, type TestServer } from '../testing/testServer.ts';

interface Frame {
  readonly type: string;
  readonly seq: number;
  readonly prev?: number;
  readonly payload: Record<string, unknown>;
}

/** A client that stores the frames it gets and lets a test wait for one. */
class Client {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<[code: number, reason: string]>;

  constructor(address: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(address, { headers });
    this.socket.on('message', (data) => this.frames.push(JSON.parse(String(data))));
    this.closed = once(this.socket, 'close').then(([code, reason]) => [code, String(reason)]);
  }

  send(type: string, payload?: unknown): void {
    this.socket.send(JSON.stringify({ type, payload }));
  }

  got(type: string): Promise<Frame> {
    return expect
      .poll(() => this.frames.find((frame) => frame.type === type))
      .toBeDefined()
      .then(() => {
        const match = this.frames.find((frame) => frame.type === type);
        if (match === undefined) throw new Error('it was there');
        return match;
      });
  }
}

let server: TestServer;
let session: MemorySession;
let address = '';
beforeEach(async () => {
  const sessions = new MemorySessions({ cells: [sampleCell({ id: 'a' }), sampleCell({ id: 'b' })] });
  server = await startTestServer({ sessions, config: { corsAllowOrigins: ['https://ok.example'] } });
  session = await sessions.open(notebookFolder('/nb'));
  address = `ws://127.0.0.1:${server.port}/v1/notebooks/ws/${session.id}`;
});
afterEach(() => server.close());

describe('[LP-1] upgrade', () => {
  const rows: readonly (readonly [
    name: string,
    path: () => string,
    headers: Record<string, string>,
    status: number,
  ])[] = [
    ['session', () => address, {}, 101],
    ['own origin', () => address, { origin: 'http://127.0.0.1:PORT' }, 101],
    ['listed origin', () => address, { origin: 'https://ok.example' }, 101],
    ['unknown session', () => address.replace(session.id, 'nope'), {}, 403],
    ['foreign origin', () => address, { origin: 'https://evil.example' }, 403],
    ['opaque origin', () => address, { origin: 'null' }, 403],
    ['foreign Host', () => address, { host: 'evil.example' }, 403],
    ['another path', () => address.replace('/ws/', '/'), {}, 403],
  ];
  it.each(rows)('%s', async (_name, path, headers, status) => {
    const filled = Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [key, value.replace('PORT', String(server.port))]),
    );
    const socket = new WebSocket(path(), { headers: filled });
    const statusCode = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('open', () => resolve(101));
      socket.on('error', () => undefined);
    });
    expect(statusCode).toBe(status);
    socket.terminate();
  });
});

describe('[RE-3] answers to an upgrade', () => {
  const rows: readonly (readonly [name: string, head: () => string, answer: RegExp])[] = [
    ['a socket', () => `GET ${path()} HTTP/1.1`, /^HTTP\/1\.1 101 /],
    ['a complete address, as proxies write it', () => `GET http://x${path()} HTTP/1.1`, /^HTTP\/1\.1 101 /],
    ['an unknown session', () => 'GET /v1/notebooks/ws/unknown HTTP/1.1', /^HTTP\/1\.1 403 [^{]*$/],
    ['with a second Host', () => `GET ${path()} HTTP/1.1\r\nHost: evil.example`, /^HTTP\/1\.1 403 [^{]*$/],
    [
      'by POST',
      () => `POST ${path()} HTTP/1.1`,
      /^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET\r\n[\s\S]*\{"detail":"Invalid WebSocket/,
    ],
  ];
  const path = () => new URL(address).pathname;
  it.each(rows)('%s carries the request’s own id', async (_name, head, answer) => {
    const socket = connect(server.port, '127.0.0.1');
    const lines = [
      ...[head(), `Host: 127.0.0.1:${server.port}`, 'Connection: Upgrade', 'Upgrade: websocket'],
      ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'X-Request-ID: mine'],
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(answer);
    expect(String(first)).toMatch(/\r\nX-Request-ID: mine\r\n/);
    socket.destroy();
  });
});

describe('a live socket', () => {
  it('[LP-2] joins, gets the presence first, syncs, leaves', async () => {
    const client = new Client(address);
    client.socket.on('open', () => client.send('notebook_sync'));
    await client.got('notebook_state');
    expect(client.frames.map(({ type, seq }) => [type, seq])).toEqual([
      ['presence', 1],
      ['notebook_state', 2],
    ]);
    client.socket.close();
    await expect
      .poll(() => session.asked.map(({ request }) => request.type))
      .toEqual(['join', 'sync', 'leave']);
  });

  it('[LP-4] keeps the order of frames, and a run delays none', async () => {
    const client = new Client(address);
    await once(client.socket, 'open');
    client.send('cell_source_update', { cell_id: 'a', source: '1', author: 'Ann' });
    client.send('cell_execute_force', { cell_id: 'a' });
    client.send('cell_source_update', { cell_id: 'b', source: '2' });
    client.send('cell_cancel', { cell_id: 'a' });
    await expect.poll(() => session.asked.length).toBe(5);
    expect(session.asked.slice(1).map(({ request, origin }) => [request.type, origin.identity])).toEqual([
      ['edit_source', 'Ann'],
      ['run_cell', 'Ann'],
      ['edit_source', 'Ann'],
      ['cancel_cell', 'Ann'],
    ]);
    expect(session.runningCell).toBeNull();
    client.socket.terminate();
  });

  it('[LP-4] requests of other clients are handled between the frames of a burst, which stay in order', async () => {
    const [busy, other] = [new Client(address), new Client(address)];
    await Promise.all([once(busy.socket, 'open'), once(other.socket, 'open')]);
    const requests = () => session.asked.map(({ request }) => request);
    const edits = () =>
      requests().flatMap((request) => (request.type === 'edit_source' ? [request.source] : []));
    const sources = Array.from({ length: 2_000 }, (_, i) => String(i));
    for (const source of sources) busy.send('cell_source_update', { cell_id: 'a', source });
    other.send('cell_focus', { cell_id: 'b' });
    await expect.poll(() => edits().length).toBe(2_000);
    expect(edits()).toEqual(sources);
    const between = requests().slice(requests().findIndex(({ type }) => type === 'focus_cell'));
    // Otherwise all frames of one read of the socket would be handled before any other request.
    expect(between.length).toBeGreaterThan(500);
    busy.socket.terminate();
    other.socket.terminate();
  });

  it('[LP-4] frames that a client sent before it hung up are handled', async () => {
    const leaving = new Client(address);
    await once(leaving.socket, 'open');
    const wire = leaving.socket as unknown as { readonly _socket: Socket }; // closes without a close frame, as a process that ends
    for (let i = 0; i < 200; i += 1) leaving.send('cell_source_update', { cell_id: 'a', source: `${i}` });
    wire._socket.end();
    const types = () => session.asked.map(({ request }) => request.type);
    await expect.poll(() => types().includes('leave')).toBe(true);
    expect(types().slice(1)).toEqual([...Array(200).fill('edit_source'), 'leave']);
  });

  it('[LP-5] answers invalid frames to their sender only', async () => {
    const [one, two] = [new Client(address), new Client(address)];
    await Promise.all([once(one.socket, 'open'), once(two.socket, 'open')]);
    one.send('hello');
    expect((await one.got('error')).payload).toEqual({ error: 'Unknown message type: hello' });
    two.send('notebook_sync');
    await two.got('notebook_state');
    expect(two.frames.some(({ type }) => type === 'error')).toBe(false);
    one.socket.terminate();
    two.socket.terminate();
  });

  it('[LP-5] is closed with 1011 for text that is not JSON, and for a bug', async () => {
    const garbled = new Client(address);
    await once(garbled.socket, 'open');
    garbled.socket.send('hello');
    expect((await garbled.closed)[0]).toBe(1011);
    const unlucky = new Client(address);
    await once(unlucky.socket, 'open');
    session.dispatch = () => Promise.reject(new Error('broken reducer'));
    unlucky.send('notebook_sync');
    expect((await unlucky.closed)[0]).toBe(1011);
    expect(server.logged.some((line) => line.includes('broken reducer'))).toBe(true);
  });

  it('[LP-6] of a viewer is read-only', async () => {
    const client = new Client(`${address}?role=viewer`);
    await once(client.socket, 'open');
    client.send('cell_execute', { cell_id: 'a' });
    expect((await client.got('error')).payload['code']).toBe('read_only');
    client.send('notebook_sync');
    await client.got('notebook_state');
    expect(session.runningCell).toBeNull();
    client.socket.terminate();
  });

  it('[LP-7] gets the end of its session and is closed with 1000; then the session is unknown', async () => {
    const client = new Client(address);
    await once(client.socket, 'open');
    const response = await server.fetch(`/v1/notebooks/${session.id}/close`, { method: 'POST' });
    expect(await response.json()).toEqual({ closed: true, session_id: session.id, path: '/nb' });
    expect(await client.closed).toEqual([1000, 'Session closed']);
    expect(client.frames.at(-1)).toMatchObject({ type: 'session_closed', payload: { reason: 'closed' } });
    const [refusal] = await once(new WebSocket(address), 'error');
    expect(String(refusal)).toContain('403');
  });

  it('[LP-52] every route but a GET keeps its session from being idle', async () => {
    await server.fetch(`/v1/notebooks/${session.id}/cells`);
    expect(session.touched).toBe(0);
    await server.fetch(`/v1/notebooks/${session.id}/environment/preview`, { method: 'POST' });
    await server.fetch(`/v1/notebooks/${session.id}/x/nothing`, { method: 'POST' });
    const rename = { method: 'PUT', body: JSON.stringify({ name: 'N' }) };
    await server.fetch(`/v1/notebooks/${session.id}/name`, {
      ...rename,
      headers: { 'content-type': 'application/json' },
    });
    expect(session.touched).toBe(1);
  });

  it('[LP-3] gets a notice of the shutdown, and numbers continue across reconnects', async () => {
    const first = new Client(address);
    await first.got('presence');
    first.socket.terminate();
    const second = new Client(address);
    expect((await second.got('presence')).seq).toBe(2);
    await server.close();
    expect(await second.closed).toEqual([1000, 'Session closed']);
    expect(second.frames.at(-1)).toMatchObject({ type: 'session_closed', payload: { reason: 'shutdown' } });
  });

  it('[LP-40] gets frames beyond the specification only on request, and sees no gap otherwise', async () => {
    const [plain, ours] = [new Client(address), new Client(`${address}?extensions=1`)];
    await Promise.all([plain.got('presence'), ours.got('presence')]);
    const toAll = { kind: 'all' } as const;
    const stopping = { cell_id: 'a', stage: 'interrupting' } as const;
    session.emit(
      { frame: { type: 'cell_stopping', payload: stopping }, to: toAll },
      { frame: { type: 'cell_status', payload: { cell_id: 'a', status: 'idle' } }, to: toAll },
    );
    const [ourStatus, plainStatus] = [await ours.got('cell_status'), await plain.got('cell_status')];
    const extra = await ours.got('cell_stopping');
    expect(extra.payload).toEqual(stopping);
    expect([ourStatus.seq, plainStatus.seq]).toEqual([extra.seq + 1, extra.seq + 1]);
    expect(plain.frames.map(({ type }) => type)).not.toContain('cell_stopping');
    plain.socket.terminate();
    ours.socket.terminate();
  });

  it('[LP-7] that never answers the close does not delay a shutdown', async () => {
    const client = new Client(address);
    await once(client.socket, 'open');
    client.socket.pause();
    await server.close();
    client.socket.terminate();
  });

  const output = (cellId: string, stdout: string): ServerFrame => ({
    type: 'cell_output',
    payload: {
      cell_id: cellId,
      outputs: {},
      cache_hit: false,
      duration_ms: 1,
      artifact_uri: null,
      artifact_uris: {},
      stdout,
      stderr: '',
      execution_method: 'warm',
      mutation_warnings: [],
    },
  });
  const toAll = (frame: ServerFrame) => ({ frame, to: { kind: 'all' } }) as const;
  const MIB = 'x'.repeat(1024 * 1024);
  const pair = async () => {
    const clients = [new Client(address), new Client(address)] as const;
    await Promise.all(clients.map((client) => client.got('presence')));
    clients[0].socket.pause();
    return clients;
  };

  it('[LP-12] a socket that does not read is dropped, and the others still get each frame', async () => {
    const [slow, fast] = await pair();
    const isDropped = () => server.logged.some((line) => line.includes('a slow client was dropped'));
    let after = 0;
    for (let at = 0; at < 200 && after < 5; at += 1) {
      if (isDropped()) after += 1;
      session.emit(toAll(output('a', MIB)));
      session.emit(toAll({ type: 'cell_status', payload: { cell_id: `c${at}`, status: 'ready' } }));
      const newest = () => fast.frames.at(-1)?.payload['cell_id'];
      await expect.poll(newest, { interval: 1 }).toBe(`c${at}`);
    }
    expect(isDropped()).toBe(true);
    slow.socket.resume();
    expect((await slow.closed)[0]).toBe(1006);
    fast.socket.terminate();
  });

  it('[LP-53] a socket that reads late gets everything, in few frames', async () => {
    const [slow, fast] = await pair();
    const until = (client: Client, id: string) =>
      expect.poll(() => client.frames.at(-1)?.payload['cell_id'], { interval: 1 }).toBe(id);
    // More than the kernel buffers for a socket.
    for (let at = 0; at < 16; at += 1) {
      session.emit(toAll(output(`b${at}`, MIB)));
      await until(fast, `b${at}`);
    }
    for (let at = 0; at < 2_000; at += 1) {
      const text = { cell_id: 'a', stream: 'stdout', text: `${at}\n`, chunk_seq: at + 1 } as const;
      session.emit(toAll({ type: 'cell_console', payload: text }));
      session.emit(toAll({ type: 'cell_status', payload: { cell_id: `c${at % 3}`, status: 'stale' } }));
    }
    session.emit(toAll({ type: 'cell_status', payload: { cell_id: 'end', status: 'ready' } }));
    await until(fast, 'end');
    expect(slow.frames.length).toBe(1);
    slow.socket.resume();
    await until(slow, 'end');
    expect(fast.frames.length).toBeGreaterThan(4_000);
    expect(slow.frames.length).toBeLessThan(100);
    const whole = Array.from({ length: 2_000 }, (_, at) => `${at}\n`).join('');
    for (const { frames, socket } of [slow, fast]) {
      const texts = frames
        .filter(({ type }) => type === 'cell_console')
        .map(({ payload }) => payload['text']);
      const isExplained = frames.every(({ seq, prev }, at) => {
        const last = frames[at - 1]?.seq;
        return last === undefined || seq === last + 1 || prev === last;
      });
      if (isExplained) expect(texts.join('')).toBe(whole);
      else expect(texts.join('')).not.toBe(whole);
      socket.terminate();
    }
  });

  it('[LP-7] a socket that reads late still gets the end of its session', async () => {
    const [slow, fast] = await pair();
    for (let at = 0; at < 16; at += 1) session.emit(toAll(output('b', MIB)));
    session.close('idle');
    slow.socket.resume();
    expect(await slow.closed).toEqual([1000, 'Session closed']);
    expect(slow.frames.at(-1)).toMatchObject({ type: 'session_closed', payload: { reason: 'idle' } });
    fast.socket.terminate();
  });

  it('is closed with 1009 for a message that is too large', async () => {
    const client = new Client(address);
    await once(client.socket, 'open');
    client.socket.on('error', () => undefined);
    client.socket.send('x'.repeat(17 * 1024 * 1024));
    expect((await client.closed)[0]).toBe(1009);
  });
});
