import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { ConsoleText } from '../../executor.ts';
import { workerUrls } from '../call/workerUrls.ts';
import { watchConsole } from './watchConsole.ts';

const line = (text: string): string => `${JSON.stringify({ stream: 'stdout', text })}\n`;

it.each([
  ['lines split at any point', ['{"stream":"stdout","te', 'xt":"a"}\n', line('b')], 'ab', false],
  ['an unknown line, then a valid one', [line('a'), '{"stream":9}\n', line('b')], 'ab', false],
  ['an endless line: the connection is closed', ['x'.repeat(64 * 1024)], '', true],
])('[BU-10] a console of %s', async (_name, pieces, expected, isEndless) => {
  let sentBytes = 0;
  const body = function* () {
    do {
      for (const piece of pieces) {
        sentBytes += piece.length;
        yield piece;
      }
    } while (isEndless && sentBytes < 256 * 1024 * 1024);
  };
  const server = createServer((_request, response) => void Readable.from(body()).pipe(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/execute`;
  const texts: ConsoleText[] = [];
  const closed = new Promise((done) => server.on('connection', (socket) => socket.once('close', done)));
  const unwatch = watchConsole({
    worker: 'w',
    urls: workerUrls(url),
    buildId: 'b',
    authorization: {},
    afterMs: 0,
    features: { offers: async () => true },
    onConsole: (text) => texts.push(text),
  });
  if (isEndless) await closed;
  else await expect.poll(() => texts.map(({ text }) => text).join('')).toBe(expected);
  await unwatch();
  expect(texts.map(({ text }) => text).join('')).toBe(expected);
  expect(sentBytes).toBeLessThan(64 * 1024 * 1024);
  server.closeAllConnections();
  server.close();
});
