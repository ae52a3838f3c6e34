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
  ['lines that are cut anywhere', ['{"stream":"stdout","te', 'xt":"a"}\n', line('b')], 'ab', false],
  ['a line that is none of ours, and one that is', [line('a'), '{"stream":9}\n', line('b')], 'ab', false],
  ['a line that never ends: its worker is listened to no more', ['x'.repeat(64 * 1024)], '', true],
])('[BU-10] a console of %s', async (_name, pieces, shown, isEndless) => {
  let sentBytes = 0;
  const said = function* () {
    do {
      for (const piece of pieces) {
        sentBytes += piece.length;
        yield piece;
      }
    } while (isEndless && sentBytes < 256 * 1024 * 1024);
  };
  const server = createServer((_request, response) => void Readable.from(said()).pipe(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/execute`;
  const seen: ConsoleText[] = [];
  const closed = new Promise((done) => server.on('connection', (socket) => socket.once('close', done)));
  const unwatch = watchConsole({
    ...{ worker: 'w', urls: workerUrls(url), buildId: 'b', authorization: {}, afterMs: 0 },
    features: { offers: async () => true },
    onConsole: (text) => seen.push(text),
  });
  if (isEndless) await closed;
  else await expect.poll(() => seen.map(({ text }) => text).join('')).toBe(shown);
  await unwatch();
  expect(seen.map(({ text }) => text).join('')).toBe(shown);
  expect(sentBytes).toBeLessThan(64 * 1024 * 1024);
  server.closeAllConnections();
  server.close();
});
