/** Tests how a real worker ends on SIGTERM: it finishes an upload, and open connections do not delay it. */

import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { manifest } from '../conformance/pullRequest.ts';
import { openSignedPlaces } from '../conformance/signedPlaces.ts';
import { pullRaw } from '../conformance/workerCalls.ts';
import { startWorkerProcess } from '../support/workerProcess.ts';

const HEALTH = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';

async function connected(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((done) => socket.once('connect', done));
  if (text !== '') {
    socket.write(text);
    await new Promise((done) => socket.once('data', done));
  }
  return socket;
}

it('[WK-45] a worker that gets SIGTERM finishes an upload in progress, and open connections do not delay its exit', async () => {
  const places = await openSignedPlaces();
  const own = await startWorkerProcess({ env: { SVC_WORKER_ALLOW_LOCAL_HOSTS: '1' } });
  const upload = Promise.withResolvers<() => void>();
  places.on('/upload', (_request, response) => upload.resolve(() => void response.writeHead(204).end()));
  places.on('/finalize', (_request, response) => void response.end('{}'));
  const sockets = [await connected(own.url, ''), await connected(own.url, HEALTH)];
  const pulled = pullRaw({ url: own.url, token: null }, manifest(places.url, 'x = 1'));
  const letGo = await upload.promise;
  const stopped = own.stop('SIGTERM');
  letGo();
  expect((await pulled).status).toBe(200);
  // No time limit here: if an open connection keeps the worker alive, the time limit of the test reports it.
  expect(await stopped).toBe(0);
  for (const socket of sockets) socket.destroy();
  await places.close();
});
