/**
 * A worker's app that only counts and returns bytes, behind the relay's client, in its own process:
 * `node relayedApp.ts <ws URL>`. It also listens directly, so that the relay can be compared with no relay.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectInOneGo } from '../../src-main/lib/bulkMemory.ts';
import { createLogger } from '../../src-main/observe/log.ts';
import { stayConnected } from '../../src-main/relay/client/stayConnected.ts';

collectInOneGo();
const BLOCK = Buffer.alloc(1024 * 1024, 'x');

const server = createServer((request, answer) => {
  if (request.url === '/v1/notebook-execute') {
    request.resume();
    void give(answer, Number(request.headers['x-mib'] ?? 1));
    return;
  }
  let bytes = 0;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  request.on('end', () => answer.end(String(bytes)));
});

async function give(answer: ServerResponse, blocks: number): Promise<void> {
  answer.writeHead(200, { 'content-length': blocks * BLOCK.length });
  for (let i = 0; i < blocks && !answer.destroyed; i += 1) {
    if (!answer.write(BLOCK)) await Promise.race([once(answer, 'drain'), once(answer, 'close')]);
  }
  answer.end();
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`); // the server listens on TCP
});
const log = createLogger({ level: 'INFO', format: 'text' });
const leave = new AbortController();
process.on('SIGTERM', () => process.exit(0));
await stayConnected({
  url: process.argv[2] ?? '',
  token: process.env['SVC_WORKER_CONNECT_TOKEN'] ?? null,
  server,
  signal: leave.signal,
  log,
});
