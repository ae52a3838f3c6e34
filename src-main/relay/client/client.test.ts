/**
 * The worker's side of the relay protocol, against a plain WebSocket server: requests, errors, flow control,
 * limits and the handshake.
 */

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  MAX_MESSAGE_BYTES,
  MAX_UNREAD_CHUNKS,
  type RelayFrame,
} from '../../../src-shared/wire/worker/relay.ts';
import { chunkOf, readMessage, textOf } from '../message.ts';
import { type DialResult, dialRelay } from './dialRelay.ts';
import { serveRelay } from './workerSocket.ts';

const log = pino({ level: 'silent' });
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port;
}

/** A relay that is a plain WebSocket server: it records the worker's messages, in order. */
async function bareRelay(app: RequestListener, { maxStreams = 1024 } = {}) {
  const http: Server = createServer();
  const wss = new WebSocketServer({ server: http, handleProtocols: () => 'svc-worker-connect.v1' });
  const said: (string | RelayFrame)[] = [];
  const arrived: (() => void)[] = [];
  const handshakes: IncomingMessage[] = [];
  const connected = new Promise<WebSocket>((resolve) => {
    wss.on('connection', (socket, request) => {
      handshakes.push(request);
      socket.on('message', (data: Buffer, isBinary) => {
        const message = readMessage(data, isBinary);
        if (message?.kind === 'frame') said.push(message.frame);
        if (message?.kind === 'chunk') said.push(`${message.id}: ${message.bytes}`);
        for (const tell of arrived.splice(0)) tell();
      });
      resolve(socket);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const stop = new AbortController();
  closing.push(() => {
    stop.abort();
    for (const client of wss.clients) client.terminate();
    http.close();
  });
  const url = `ws://127.0.0.1:${portOf(http)}/some/path?worker=gpu%201`;
  const dialled = await dialRelay({ url, token: 'connect-secret', signal: stop.signal });
  if (dialled.kind !== 'connected') throw new Error(dialled.reason);
  const ended = serveRelay({
    socket: dialled.socket,
    server: createServer(app),
    reportsReads: false,
    log,
    leaving: stop.signal,
    maxStreams,
  });
  const socket = await connected;
  return {
    socket,
    said,
    ended,
    handshakes,
    send: (...frames: (RelayFrame | Buffer)[]) => {
      for (const frame of frames) socket.send(Buffer.isBuffer(frame) ? frame : textOf(frame));
    },
    /** Waits until the recorded messages match. */
    until: async (fits: () => boolean) => {
      while (!fits()) await new Promise<void>((resolve) => arrived.push(resolve));
    },
  };
}

const get = (id: number, path = '/', method = 'GET'): RelayFrame => ({
  type: 'request',
  id,
  method,
  path,
  query: '',
  headers: [],
});
const end = (id: number): RelayFrame => ({ type: 'end', id });
const bytes = (id: number, text: string) => chunkOf(id, [Buffer.from(text)], 1024);
const hasEnded = (relay: { readonly said: readonly (string | RelayFrame)[] }, id: number) =>
  relay.said.some(
    (frame) => typeof frame !== 'string' && frame.id === id && ['end', 'abort'].includes(frame.type),
  );

describe('the client of a relay', () => {
  it('[RL-10] connects to the URL unchanged, names the subprotocol and sends its token, and offers compression', async () => {
    const { handshakes } = await bareRelay((_request, response) => response.end());
    const [request] = handshakes;
    expect([
      request?.url,
      request?.headers['sec-websocket-protocol'],
      request?.headers.authorization,
      request?.headers['sec-websocket-extensions'],
    ]).toEqual([
      '/some/path?worker=gpu%201',
      'svc-worker-connect.v1',
      'Bearer connect-secret',
      expect.stringContaining('permessage-deflate'),
    ]);
  });

  it('[RL-1] [RL-11] an app sees the request as sent, and its reply is sent back as head, body, end', async () => {
    const relay = await bareRelay((request, response) => {
      const parts: string[] = [];
      request.on('data', (part) => parts.push(String(part)));
      request.on('end', () => {
        response.setHeader('X-Twice', ['a', 'b']);
        response.sendDate = false;
        response.end(`${request.method} ${request.url} ${request.rawHeaders.join(',')} ${parts.join('')}`);
      });
    });
    relay.send(
      {
        type: 'request',
        id: 4294967295,
        method: 'POST',
        path: '/v1/a%2Fb',
        query: 'x=1&y=%20',
        headers: [
          ['host', 'h'],
          ['x-a', '1'],
          ['X-A', '2'],
        ],
      },
      bytes(4294967295, 'one '),
      bytes(4294967295, 'two'),
      end(4294967295),
    );
    await relay.until(() => hasEnded(relay, 4294967295));
    const body =
      'POST /v1/a%2Fb?x=1&y=%20 host,h,x-a,1,X-A,2,transfer-encoding,chunked,connection,close one two';
    expect(relay.said).toEqual([
      {
        type: 'response',
        id: 4294967295,
        status: 200,
        headers: [
          ['x-twice', 'a'],
          ['x-twice', 'b'],
          ['content-length', String(body.length)],
        ],
      },
      `4294967295: ${body}`,
      end(4294967295),
    ]);
  });

  it('[RL-2] used ids, frames of closed streams, and invalid frames are ignored; the rest continues', async () => {
    const waiting: (() => void)[] = [];
    const relay = await bareRelay((_request, response) => waiting.push(() => response.end()));
    relay.send(get(7));
    relay.send(get(7), bytes(99, 'x'), end(99), { type: 'abort', id: 98 }, Buffer.from('abc'));
    relay.socket.send('hello');
    relay.socket.send('{"type":"request","id":0}');
    relay.send(get(8));
    while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of waiting) answer();
    await relay.until(() => hasEnded(relay, 7) && hasEnded(relay, 8));
    expect(relay.said.filter((frame) => typeof frame !== 'string' && frame.type === 'response')).toHaveLength(
      2,
    );
  });

  const FAILURES: readonly (readonly [
    what: string,
    app: RequestListener,
    request: RelayFrame,
    said: unknown,
  ])[] = [
    [
      'an app that fails before its answer: 500 with a message',
      (request) => request.socket.destroy(),
      get(1),
      [
        { type: 'response', id: 1, status: 500, headers: [['content-type', 'text/plain; charset=utf-8']] },
        '1: Internal Server Error',
        end(1),
      ],
    ],
    [
      'an app that fails after its answer began: abort',
      (_request, response) => {
        response.sendDate = false;
        response.write('half', () => response.destroy());
      },
      get(1),
      [{ type: 'response', id: 1, status: 200, headers: [] }, '1: half', { type: 'abort', id: 1 }],
    ],
    [
      'a path that could be a second request: 400',
      (_request, response) => response.end(),
      get(1, '/ HTTP/1.1\r\nX: y'),
      [
        { type: 'response', id: 1, status: 400, headers: [['content-type', 'text/plain; charset=utf-8']] },
        '1: Request path contains unescaped characters',
        end(1),
      ],
    ],
    [
      'an invalid method: 400',
      (_request, response) => response.end(),
      get(1, '/', 'GET /x'),
      [
        { type: 'response', id: 1, status: 400, headers: [['content-type', 'text/plain; charset=utf-8']] },
        '1: Method must be a valid HTTP token ["GET /x"]',
        end(1),
      ],
    ],
  ];
  for (const [what, app, request, said] of FAILURES) {
    it(`[RL-12] ${what}`, async () => {
      const relay = await bareRelay(app);
      relay.send(request);
      await relay.until(() => hasEnded(relay, 1));
      expect(relay.said).toEqual(said);
    });
  }

  it('[RL-12] a body longer than its Content-Length is refused, not parsed as another request', async () => {
    const urls: string[] = [];
    const relay = await bareRelay((request) => void urls.push(request.url ?? ''));
    relay.send({ ...get(1, '/a', 'POST'), headers: [['content-length', '2']] } as RelayFrame);
    relay.send(bytes(1, 'xxGET /b HTTP/1.1\r\nhost: h\r\n\r\n'), end(1));
    await relay.until(() => hasEnded(relay, 1));
    expect([urls.includes('/b'), relay.said[1]]).toEqual([
      false,
      '1: The body is longer than its Content-Length',
    ]);
  });

  it('[RL-13] if a request is answered without reading its body, the rest is discarded, and others continue', async () => {
    const relay = await bareRelay((request, response) => response.end(request.url));
    relay.send(get(1, '/unread', 'POST'));
    for (let chunk = 0; chunk < 64; chunk += 1)
      relay.send(Buffer.concat([bytes(1, ''), Buffer.alloc(65_536)]));
    relay.send(end(1), get(2, '/next'), end(2));
    await relay.until(() => hasEnded(relay, 1) && hasEnded(relay, 2));
    expect(relay.said).toContain('2: /next');
  });

  it('[RL-14] with 16 unread chunks the socket is not read, until the app reads', async () => {
    const requests: IncomingMessage[] = [];
    const relay = await bareRelay((request, response) => {
      if (request.url === '/next') response.end('next');
      else requests.push(request);
      if (request.url !== '/next') request.on('end', () => response.end('read'));
    });
    relay.send(get(1, '/slow', 'POST'));
    const chunk = Buffer.concat([bytes(1, ''), Buffer.alloc(1024 * 1024)]);
    const count = MAX_UNREAD_CHUNKS * 3;
    for (let sent = 0; sent < count; sent += 1) relay.send(chunk);
    relay.send(end(1), get(2, '/next'), end(2));
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // The network is full: data stays with the relay, and the second request does not arrive.
    let before = -1;
    while (before !== relay.socket.bufferedAmount) {
      before = relay.socket.bufferedAmount;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect([relay.said, before > 0]).toEqual([[], true]);
    requests[0]?.resume();
    await relay.until(() => hasEnded(relay, 1) && hasEnded(relay, 2));
    expect(relay.said.filter((frame) => typeof frame === 'string').sort()).toEqual(['1: read', '2: next']);
  });

  it('[RL-41] requests beyond the worker’s limit are 503, but not cancels and health checks', async () => {
    const releases: (() => void)[] = [];
    const relay = await bareRelay(
      (request, response) => {
        response.sendDate = false;
        const answer = () => response.end(request.url);
        if (request.url === '/held') releases.push(answer);
        else answer();
      },
      { maxStreams: 2 },
    );
    const statuses = () =>
      relay.said.flatMap((frame) =>
        typeof frame !== 'string' && frame.type === 'response' ? [[frame.id, frame.status]] : [],
      );
    for (const id of [1, 2, 3]) relay.send(get(id, '/held'), end(id));
    await relay.until(() => hasEnded(relay, 3));
    const full = relay.said.filter((frame) => typeof frame === 'string' || frame.id === 3);
    const detail = '{"detail":"Worker has 2 requests under way"}';
    expect(full).toEqual([
      {
        type: 'response',
        id: 3,
        status: 503,
        headers: [
          ['content-type', 'application/json'],
          ['content-length', String(detail.length)],
          ['retry-after', '5'],
        ],
      },
      `3: ${detail}`,
      { type: 'end', id: 3 },
    ]);
    relay.send(get(4, '/v1/executions/b/cancel', 'POST'), end(4), get(5, '/health'), end(5));
    await relay.until(() => hasEnded(relay, 4) && hasEnded(relay, 5));
    while (releases.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of releases) answer();
    await relay.until(() => hasEnded(relay, 1) && hasEnded(relay, 2));
    relay.send(get(6), end(6));
    await relay.until(() => hasEnded(relay, 6));
    expect(statuses().sort()).toEqual([
      [1, 200],
      [2, 200],
      [3, 503],
      [4, 200],
      [5, 200],
      [6, 200],
    ]);
  });

  it('[RL-41] a relay that keeps sending requests and reads no answer is disconnected', async () => {
    const relay = await bareRelay(() => undefined, { maxStreams: 2 });
    const path = `/${'x'.repeat(1_000)}`;
    relay.socket.pause();
    let id = 0;
    const ask = setInterval(() => {
      for (let i = 0; i < 2_000; i += 1) {
        id += 1;
        relay.send(get(id, path), end(id));
      }
    }, 1);
    closing.push(() => clearInterval(ask));
    expect(await relay.ended).toMatch(/close code 1006/);
  });

  it('[RL-15] a lost connection is a client disconnect for the app, and so is an abort', async () => {
    const disconnects: string[] = [];
    let opened = 0;
    const relay = await bareRelay((request) => {
      opened += 1;
      request.on('close', () => disconnects.push(request.url ?? ''));
    });
    relay.send(get(1, '/aborted', 'POST'), get(2, '/lost', 'POST'));
    while (opened < 2) await new Promise((resolve) => setImmediate(resolve));
    relay.send({ type: 'abort', id: 1 });
    while (disconnects.length < 1) await new Promise((resolve) => setImmediate(resolve));
    relay.socket.terminate();
    while (disconnects.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect([disconnects, relay.said, await relay.ended]).toEqual([
      ['/aborted', '/lost'],
      [],
      'close code 1006',
    ]);
  });

  it('[RL-16] a message over the limit closes with 1009, one at the limit does not', async () => {
    const relay = await bareRelay((request, response) => request.resume().on('end', () => response.end()));
    relay.send(
      get(1, '/', 'POST'),
      Buffer.concat([bytes(1, ''), Buffer.alloc(MAX_MESSAGE_BYTES - 4)]),
      end(1),
    );
    await relay.until(() => hasEnded(relay, 1));
    const closed = new Promise((resolve) => relay.socket.once('close', (code) => resolve(code)));
    relay.socket.send('x'.repeat(MAX_MESSAGE_BYTES + 1));
    expect(await closed).toBe(1009);
  });
});

describe('dialRelay', () => {
  const answer = (line: string) => `HTTP/1.1 ${line}\r\nContent-Length: 15\r\n\r\n{"detail":"no"}`;
  const upgraded = (extra: string) => (key: string) =>
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n${extra}\r\n`;
  const ROWS: readonly (readonly [
    string,
    string | ((accept: string) => string),
    DialResult['kind'],
    RegExp,
  ])[] = [
    ['400', answer('400 Bad Request'), 'refused', /answered 400: no/],
    ['401', answer('401 Unauthorized'), 'refused', /answered 401: no/],
    ['403', answer('403 Forbidden'), 'refused', /answered 403: no/],
    ['404', answer('404 Not Found'), 'refused', /answered 404: no/],
    ['408', answer('408 Request Timeout'), 'failed', /answered 408: no/],
    ['429', answer('429 Too Many Requests'), 'failed', /answered 429: no/],
    ['500', answer('500 Internal Server Error'), 'failed', /answered 500: no/],
    ['502', answer('502 Bad Gateway'), 'failed', /answered 502: no/],
    ['503', answer('503 Service Unavailable'), 'failed', /answered 503: no/],
    ['no subprotocol', upgraded(''), 'refused', /does not support svc-worker-connect.v1/],
    ['another', upgraded('Sec-WebSocket-Protocol: other.v1\r\n'), 'refused', /it selected other.v1/],
    ['a cut connection', '', 'failed', /hang up|ECONNRESET/],
  ];
  for (const [what, said, kind, words] of ROWS) {
    it(`[RL-9] ${what}: ${kind}`, async () => {
      const server = createTcp((socket: Socket) => {
        socket.on('error', () => undefined);
        socket.once('data', async (head) => {
          const key = /sec-websocket-key: (\S+)/i.exec(String(head))?.[1] ?? '';
          const { createHash } = await import('node:crypto');
          const accept = createHash('sha1')
            .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
            .digest('base64');
          socket.end(typeof said === 'string' ? said : said(accept));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closing.push(() => server.close());
      const dialled = await dialRelay({
        url: `ws://127.0.0.1:${portOf(server)}/`,
        token: null,
        signal: new AbortController().signal,
      });
      expect(dialled.kind).toBe(kind);
      expect(dialled.kind === 'connected' ? '' : dialled.reason).toMatch(words);
    });
  }
});
