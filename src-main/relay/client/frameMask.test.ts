import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { dialRelay } from './dialRelay.ts';
import { frameMask } from './frameMask.ts';

it.each<[url: string, isRandom: boolean]>([
  ['wss://relay.example/connect/gpu', false],
  ['ws://127.0.0.1:9100/connect/gpu', false],
  ['ws://localhost/connect/gpu', false],
  ['ws://[::1]:9100/connect/gpu', false],
  ['ws://relay.example/connect/gpu', true],
  ['ws://10.0.0.7/connect/gpu', true],
  ['ws://127.0.0.1.example/connect/gpu', true],
])('[RL-40] frames to %s get a random mask: %s', (url, isRandom) => {
  expect(frameMask(url) === null).toBe(isRandom);
});

it('[RL-40] a mask of zeros is still sent, and every server can read the frame', async () => {
  const http = createServer();
  const relay = new WebSocketServer({ server: http });
  const sockets: Socket[] = [];
  http.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const connection = once(relay, 'connection');
  const { port } = http.address() as AddressInfo; // it listens on TCP
  const { signal } = new AbortController();
  const dialled = await dialRelay({ url: `ws://127.0.0.1:${port}/connect/gpu`, token: null, signal });
  const [server] = await connection;
  if (dialled.kind !== 'connected') throw new Error(dialled.reason);
  const [raw] = sockets;
  if (raw === undefined) throw new Error('nobody connected');
  const bytes = once(raw, 'data');
  const message = once(server, 'message');
  dialled.socket.send(Buffer.from('whole'));
  const [frame] = await bytes;
  // The last frame of its message, binary; masked, five bytes; the mask; the unchanged bytes.
  expect([...(frame as Buffer)]).toEqual([0x82, 0x85, 0, 0, 0, 0, ...Buffer.from('whole')]);
  expect(String((await message)[0])).toBe('whole');
  dialled.socket.terminate();
  relay.close();
  http.close();
});
