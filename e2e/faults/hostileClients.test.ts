/** Hostile and broken clients of a real server: refused upgrades, invalid bodies, sockets that never read, floods. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { connectLive } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-faults-'));
  server = await startServerProcess({ grants: [root] });
  notebook = await openNotebook(server, join(root, 'notebook'), [
    {
      id: 'flood001',
      source: 'import sys\nfor i in range(100):\n    sys.stdout.write(("y" * 999 + "\\n") * 1000)',
    },
    { id: 'after001', source: 'print("still here")' },
  ]);
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

async function works(): Promise<void> {
  expect((await notebook.execute('after001', 'rerun')).stdout).toBe('still here\n');
}

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function descriptors(): Promise<number> {
  return (await readdir(`/proc/${server.pid}/fd`)).length;
}

/** Sends bytes on a new connection; returns everything received until it is closed. */
async function exchange(bytes: string | Buffer): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const livePath = () => `/v1/notebooks/ws/${notebook.sid}`;
function upgrade(headers: Readonly<Record<string, string>>, path = livePath()): string {
  const lines = Object.entries({
    Host: `127.0.0.1:${server.port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Connects to the notebook as a client that then reads nothing. */
async function connectWithoutReading(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {
    // The server may drop the connection, which these tests allow.
  });
  socket.write(upgrade({}));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return socket;
}

describe('[LP-1] an upgrade is refused before a socket exists', () => {
  const rows: readonly (readonly [name: string, text: () => string, status: number])[] = [
    ['for another host name', () => upgrade({ Host: 'evil.example' }), 403],
    ['for a host name that starts with ours', () => upgrade({ Host: '127.0.0.1.evil.example' }), 403],
    ['from a page of another host', () => upgrade({ Origin: 'https://evil.example' }), 403],
    ['from a page without an origin', () => upgrade({ Origin: 'null' }), 403],
    ['from a page on another port', () => upgrade({ Origin: 'http://127.0.0.1:1' }), 403],
    ['for a session called __proto__', () => upgrade({}, '/v1/notebooks/ws/__proto__'), 403],
    ['on another route', () => upgrade({}, '/v1/notebooks/config'), 403],
    ['without a key', () => upgrade({ 'Sec-WebSocket-Key': '' }), 400],
    ['with an unknown protocol version', () => upgrade({ 'Sec-WebSocket-Version': '99' }), 400],
  ];
  it.each(rows)('%s', async (_name, text, status) => {
    expect(await exchange(text())).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe('[RE-33] invalid bodies', () => {
  const nested = (n: number) => `${'{"path":'.repeat(n)}1${'}'.repeat(n)}`;
  const rows: readonly (readonly [
    name: string,
    body: () => string | Uint8Array<ArrayBuffer>,
    status: number,
  ])[] = [
    ['100 MB', () => new Uint8Array(100_000_000).fill(0x20), 413],
    ['two hundred thousand brackets', () => '['.repeat(200_000) + ']'.repeat(200_000), 422],
    ['a hundred thousand nested objects', () => nested(100_000), 422],
    ['a __proto__ field', () => '{"__proto__":{"path":"/etc"}}', 422],
    ['bytes that are no UTF-8', () => Uint8Array.from(Buffer.from('7b2270617468223a22ff227d', 'hex')), 422],
    ['a path of five thousand folders', () => JSON.stringify({ path: `/${'a/'.repeat(5000)}` }), 400],
    ['a path with NUL', () => '{"path":"a\\u0000b"}', 400],
  ];
  it.each(rows)('%s', async (_name, body, status) => {
    const response = await fetch(`${server.url}/v1/notebooks/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body(),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ detail: expect.anything() });
    await works();
  });

  it('a client that is still sending when it is refused may finish, and send another request', async () => {
    const socket = connect(server.port, '127.0.0.1');
    let answers = '';
    socket.on('data', (chunk) => {
      answers += String(chunk);
    });
    const write = (bytes: string | Buffer) =>
      new Promise<void>((resolve, reject) =>
        socket.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
    const head = (request: string) => `${request} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
    await write(`${head('POST /v1/notebooks/open')}Content-Length: 20000000\r\n\r\n`);
    await expect.poll(() => answers).toContain('HTTP/1.1 413 ');
    for (let sentMb = 0; sentMb < 20; sentMb += 1) await write(Buffer.alloc(1_000_000, 0x20));
    await write(`${head('GET /health')}\r\n`);
    await expect.poll(() => answers).toContain('HTTP/1.1 200 ');
    socket.destroy();
  });

  it('of six simultaneous requests that create the same name, one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        rest(server.url, 'POST', '/v1/notebooks/create', { parent_path: root, name: 'Same' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await readdir(root)).filter((name) => name.startsWith('.svc-new-'))).toEqual([]);
  });
});

describe('misbehaving clients', () => {
  it('[LP-12] a client that never reads while a cell prints 100 MB blocks no other client', async () => {
    const before = await residentMb();
    const socket = await connectWithoutReading();
    const reader = await connectLive(server.url, notebook.sid);
    expect((await notebook.execute('flood001', 'rerun')).status).toBe('ready');
    await reader.next('cell_output', { where: ({ cell_id }) => cell_id === 'flood001' });
    expect((await residentMb()) - before).toBeLessThan(400);
    await reader.close();
    socket.destroy();
    await works();
  });

  it('[LP-12] a client that requests the state two thousand times without reading does not fill the server’s memory', async () => {
    const before = await residentMb();
    const socket = await connectWithoutReading();
    const text = Buffer.from('{"type":"notebook_sync","payload":{}}');
    const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
    for (let n = 0; n < 2000; n += 1) socket.write(frame);
    await works();
    expect((await residentMb()) - before).toBeLessThan(400);
    socket.destroy();
  });

  it('[LP-5] frames of any shape are answered or end only their own socket', async () => {
    const bystander = await connectLive(server.url, notebook.sid);
    const texts = [
      '',
      'null',
      '[]',
      '{"type":"__proto__","payload":{}}',
      '{"type":"cell_execute","payload":{"cell_id":"constructor"}}',
      '{"type":"cell_execute_cascade","payload":{"cell_id":"after001","plan_id":"__proto__"}}',
      `{"type":"notebook_sync","payload":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      'x'.repeat(17_000_000),
    ];
    for (const text of texts) {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}${livePath()}`);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => {
        // A message that is too large resets the connection.
      });
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(text);
      socket.close();
      await closed;
    }
    const since = bystander.mark();
    bystander.send('notebook_sync', {});
    await bystander.next('notebook_state', { since });
    await bystander.close();
    await works();
  });

  it('three hundred unfinished requests block no other client, and leave nothing behind', async () => {
    const before = await descriptors();
    const sockets = Array.from({ length: 300 }, () => connect(server.port, '127.0.0.1'));
    for (const socket of sockets)
      socket.write('POST /v1/notebooks/open HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ');
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    await works();
    for (const socket of sockets) socket.destroy();
    await expect.poll(descriptors).toBeLessThan(before + 20);
  });

  it('a hundred simultaneous requests that open and close leave at most one session, which works', async () => {
    const path = join(root, 'race');
    const first = await openNotebook(server, path, [{ id: 'a0000001', source: 'print(1)' }]);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        n % 2 === 0
          ? rest(server.url, 'POST', '/v1/notebooks/open', { path })
          : rest(server.url, 'POST', `/v1/notebooks/${first.sid}/close`),
      ),
    );
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    const again = await openNotebook(server, path);
    expect((await again.execute('a0000001')).stdout).toBe('1\n');
    await again.close();
  });
});
