/**
 * The relay server against a hostile worker: forged answers must not reach other calls, and random frames
 * must not crash it.
 */

import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { pick, seeded } from '../../../e2e/support/seeded.ts';
import { RELAY_SUBPROTOCOL, type RelayFrame } from '../../../src-shared/wire/worker/relay.ts';
import { chunkOf, readMessage, textOf } from '../message.ts';
import { RELAY_LIMITS } from './relayLimits.ts';
import { type RunningRelay, startRelay } from './relayServer.ts';
import { readRelayWorkers } from './relayWorkers.ts';

const TOKEN = 'a-connect-token-of-gpu';
const workers = readRelayWorkers({ toml: '', env: `gpu=${TOKEN}` });

interface Hostile {
  readonly relay: RunningRelay;
  readonly socket: WebSocket;
  /** The ids of the calls that have arrived, in order. */
  readonly ids: number[];
  say(...messages: (RelayFrame | Buffer | string)[]): void;
  end(): Promise<void>;
}

/** A relay, and a worker that sends what the test specifies. */
async function hostile(): Promise<Hostile> {
  const log = pino({ level: 'silent' });
  const relay = await startRelay({ workers, limits: RELAY_LIMITS, log }, { host: '127.0.0.1', port: 0 });
  const socket = new WebSocket(`ws://127.0.0.1:${relay.port}/connect/gpu`, [RELAY_SUBPROTOCOL], {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const ids: number[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    const message = readMessage(data, isBinary);
    if (message?.kind === 'frame' && message.frame.type === 'request') ids.push(message.frame.id);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  return {
    relay,
    socket,
    ids,
    say: (...messages) => {
      for (const message of messages) {
        socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : textOf(message));
      }
    },
    end: async () => {
      socket.terminate();
      await relay.close();
    },
  };
}

/** All text that one persistent connection returns, for a call and a second request after it. */
function rawCalls(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write('POST /w/gpu/v1/execute HTTP/1.1\r\nhost: r\r\ncontent-length: 0\r\n\r\n');
    socket.write('GET /health HTTP/1.1\r\nhost: r\r\nconnection: close\r\n\r\n');
  });
}

describe('a hostile worker', () => {
  const FORGED = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged';
  const ANSWERS: readonly (readonly [
    what: string,
    headers: [string, string][],
    body: string,
    seen: RegExp,
  ])[] = [
    ['more than it promised', [['content-length', '2']], `ok${FORGED}`, /^(?!.*forged)/s],
    ['less than it promised', [['content-length', '9000']], 'ok', /^(?!.*healthy)/s],
    [
      'two lengths',
      [
        ['content-length', '2'],
        ['content-length', '3'],
      ],
      'ok',
      /^HTTP\/1.1 502 .*healthy/s,
    ],
    ['an invalid length', [['content-length', '2, 3']], 'ok', /^HTTP\/1.1 502 .*healthy/s],
    [
      'its own chunks',
      [['transfer-encoding', 'chunked']],
      `0\r\n\r\n${FORGED}`,
      /^HTTP\/1.1 200 .*\r\n0\r\n\r\nHTTP\/1.1 200 OK.*healthy/s,
    ],
    ['a header with a line break', [['a', 'b\r\n\r\nforged']], 'ok', /^HTTP\/1.1 502 (?!.*forged).*healthy/s],
    ['an invalid name', [['a b', 'c']], 'ok', /^HTTP\/1.1 502 .*healthy/s],
  ];
  for (const [what, headers, body, seen] of ANSWERS) {
    it(`[RL-33] ${what}: nothing of it reaches the next answer`, async () => {
      const worker = await hostile();
      const read = rawCalls(worker.relay.port);
      while (worker.ids.length === 0) await nextTurn();
      const [id = 0] = worker.ids;
      worker.say({ type: 'response', id, status: 200, headers }, chunkOf(id, [Buffer.from(body)], 1000), {
        type: 'end',
        id,
      });
      expect(await read).toMatch(seen);
      await worker.end();
    });
  }

  for (let seed = 1; seed <= (process.env['LONG'] === '1' ? 100 : 10); seed += 1) {
    it(`[RL-33] whatever it sends, the relay survives and every call ends (seed ${seed})`, async () => {
      const random = seeded(seed);
      const worker = await hostile();
      const url = `http://127.0.0.1:${worker.relay.port}/w/gpu/v1/execute`;
      const calls = Array.from({ length: 8 }, () =>
        fetch(url, { method: 'POST', body: 'x'.repeat(Math.floor(random() * 100_000)) })
          .then((response) => response.arrayBuffer())
          .then(
            () => 'ended',
            () => 'ended',
          ),
      );
      while (worker.ids.length < calls.length) await nextTurn();
      for (let sent = 0; sent < 300; sent += 1) {
        const id = random() < 0.9 ? pick(random, worker.ids) : Math.floor(random() * 2 ** 32);
        const status = pick(random, [200, 202, 204, 304, 404, 599]);
        const headers: [string, string][] = [
          [
            pick(random, ['content-type', 'content-length', 'connection', 'é', '']),
            pick(random, ['1', 'application/json', '\u0000']),
          ],
        ];
        worker.say(
          pick<RelayFrame | Buffer | string>(random, [
            { type: 'response', id, status, headers: random() < 0.5 ? [] : headers },
            { type: 'end', id },
            { type: 'abort', id },
            { type: 'read', id, chunks: 16 },
            { type: 'request', id, method: 'GET', path: '/', query: '', headers: [] },
            chunkOf(id, [Buffer.alloc(Math.floor(random() * 5_000))], 5_000),
            Buffer.from([0, 0, 1]),
            '{"type":"end","id":',
          ]),
        );
        if (random() < 0.1) await nextTurn();
      }
      worker.socket.terminate();
      expect(await Promise.all(calls)).toEqual(calls.map(() => 'ended'));
      const read = async () => (await fetch(`http://127.0.0.1:${worker.relay.port}/health`)).text();
      while ((await read()) !== '{"status":"healthy","workers_connected":0,"streams":0}') await nextTurn();
      await worker.end();
    });
  }
});
