/**
 * Sends odd calls of every kind at the same time to the built server: none gets a 5xx answer, none hangs, and
 * afterwards the open notebooks work as before.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { Cell } from '../../src-shared/wire/cell.ts';
import { type OddRequest, type OddWorld, oddBytes, oddFrame, oddRequest } from '../support/oddCalls.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { closeWhenSettled, openReady, rest } from '../support/rest.ts';
import { pick, seeded } from '../support/seeded.ts';
import { PROJECT_ROOT, type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';
import { FAULTS_LOGGED, seedsFrom } from '../support/trySeeds.ts';

const FIRST = Number(process.env['FUZZ_FIRST'] ?? 1);
const SEEDS = Number(process.env['FUZZ_COUNT'] ?? (process.env['LONG'] === '1' ? 60 : 1));
const KEPT: readonly number[] = [];
/** The number of calls of one seed, and how many of them run at the same time. */
const CALLS = 240;
const AT_ONCE = 12;
const ANSWER_MS = 60_000;
/** How many MiB the server's heap may grow, after a garbage collection, for its caches. */
const HELD_MIB = 24;

let root = '';
let server: ServerProcess;
let folders: readonly string[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-storm-'));
  server = await startServerProcess({
    grants: [root],
    env: {
      NODE_OPTIONS: `--import ${join(PROJECT_ROOT, 'e2e/support/serverProbe.mjs')}`,
      PROBE_FILE: join(root, 'probed.json'),
      SVC_LOG_FORMAT: 'json',
    },
  });
  const cells = (letter: string) => [
    { id: `${letter}0000001`, source: 'x = 1\nx' },
    { id: `${letter}0000002`, source: 'y = x + 1\nprint(y)' },
    { id: `${letter}0000003`, source: 'import time\ntime.sleep(0.2)' },
    { id: `${letter}0000004`, source: '# Title', language: 'markdown' as const },
    { id: `${letter}0000005`, source: 'name = text(default="a")', language: 'widget' as const },
  ];
  for (const letter of ['a', 'b']) await openNotebook(server, join(root, letter), cells(letter));
  folders = [join(root, 'a'), join(root, 'b')];
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

/** Opens both notebooks again if calls have closed or locked them; known cells stay in the list. */
async function worldNow(before: OddWorld | null): Promise<OddWorld> {
  const sids: string[] = [];
  const cells = new Set(before?.cells ?? ['nobody01', '__proto__']);
  for (const path of [root, ...folders])
    await rest(server.url, 'POST', `/v1/projects/${encodeURIComponent(path)}/release`);
  for (const path of folders) {
    const opened = await openReady(server.url, path);
    sids.push(opened.session_id);
    for (const { id } of opened.cells) cells.add(id);
  }
  return { sids, cells: [...cells], folders };
}

/** Sends a request; returns the problem with the answer as a message, or null if there is none. */
function sendRequest({ method, target, headers, body }: OddRequest): Promise<string | null> {
  return new Promise((resolve) => {
    const report = (fault: string): void =>
      resolve(`${method} ${target.slice(0, 200)} ${body.toString().slice(0, 300)}: ${fault}`);
    const options = { port: server.port, host: '127.0.0.1', method, path: target, timeout: ANSWER_MS };
    const length = { 'content-length': String(body.length) };
    const sent = request({ ...options, headers: { ...headers, ...length } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', (error) => report(String(error)));
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const { statusCode = 0, headers: got } = response;
        // Without a provider the AI routes answer 503.
        const isNoProvider = statusCode === 503 && text.includes('No AI provider is configured');
        if (statusCode >= 500 && !isNoProvider) return report(`${statusCode} ${text.slice(0, 300)}`);
        if (got['x-request-id'] === undefined) return report(`${statusCode} without a request id`);
        const isJson = got['content-type']?.includes('json') === true && method !== 'HEAD';
        if (isJson && !isReadable(text)) return report(`${statusCode}, no JSON: ${text.slice(0, 100)}`);
        resolve(null);
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
    sent.on('error', (error) => report(String(error)));
    sent.end(body);
  });
}

function isReadable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Opens a connection, sends bytes, and then leaves the connection open, cuts it, or half-closes it. */
async function sendBytes(
  bytes: Buffer,
  { random, left }: { readonly random: () => number; readonly left: Socket[] },
): Promise<string | null> {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  socket.on('error', () => {
    // The server may cut a connection that does not send HTTP.
  });
  await new Promise((resolve) => socket.write(bytes, resolve));
  const end = pick(random, ['stand', 'cut', 'half', 'half'] as const);
  if (end === 'stand') left.push(socket);
  if (end === 'cut') socket.destroy();
  if (end === 'half') {
    socket.end();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const isClosed = await Promise.race([closed.then(() => true), delay(ANSWER_MS, false, { ref: false })]);
    socket.destroy();
    if (!isClosed) return `${bytes.toString().slice(0, 300)}: a half closed connection stays`;
  }
  const fault = /^HTTP\/1\.1 5\d\d .*/m.exec(answer);
  return fault === null ? null : `${bytes.toString().slice(0, 300)}: ${fault[0]}`;
}

/** Sends some odd frames on a new socket; the server may close it in any way, but it must close. */
async function sendFrames(random: () => number, world: OddWorld): Promise<string | null> {
  const query = pick(random, ['', '?role=viewer', '?extensions=1', '?role=__proto__&role=viewer']);
  const url = `${server.url.replace('http', 'ws')}/v1/notebooks/ws/${pick(random, world.sids)}${query}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const sent: string[] = [];
  let code = 0;
  const closed = new Promise<void>((resolve) =>
    socket.once('close', (with_) => {
      code = with_;
      resolve();
    }),
  );
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    // Another call may have closed the session; a message that is too large resets the connection.
    socket.on('error', () => resolve(false));
  });
  if (!opened) return null;
  for (let i = 0; i < 12 && socket.readyState === WebSocket.OPEN; i++) {
    const frame = oddFrame(random, world);
    sent.push(String(frame).slice(0, 200));
    socket.send(frame);
    if (random() < 0.3) await delay(1);
  }
  if (random() < 0.3) socket.terminate();
  else socket.close();
  const ended = await Promise.race([closed.then(() => true), delay(ANSWER_MS, false, { ref: false })]);
  return ended || code > 0 ? null : `a socket does not end after ${sent.join(' | ')}`;
}

/** Makes the calls of one seed; returns the problems as messages. */
async function storm(seed: number, world: OddWorld): Promise<readonly string[]> {
  const random = seeded(seed);
  const faults: string[] = [];
  const left: Socket[] = [];
  let calls = 0;
  const one = async (): Promise<void> => {
    while (calls < CALLS) {
      calls += 1;
      const kind = random();
      const fault = await (kind < 0.75
        ? sendRequest(oddRequest(random, world))
        : kind < 0.88
          ? sendFrames(random, world)
          : sendBytes(oddBytes(random, world), { random, left }));
      if (fault !== null) faults.push(`seed ${seed}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  for (const socket of left) socket.destroy();
  return faults;
}

async function heapMiB(): Promise<void> {
  process.kill(server.pid, 'SIGUSR2');
  await delay(200);
}

/** Checks that a new cell runs, `svc validate` accepts the folder, and reopening shows the same cells. */
async function works(path: string): Promise<void> {
  const opened = await openReady(server.url, path);
  const base = `/v1/notebooks/${opened.session_id}`;
  const put = (name: string, body: unknown) => rest(server.url, 'PUT', `${base}/${name}`, body);
  for (const [name, body] of PUT_BACK) expect((await put(name, body)).status, name).toBe(200);
  const added = await rest<Cell>(server.url, 'POST', `${base}/cells`, { language: 'python' });
  expect(added.status).toBe(200);
  const { id } = added.body;
  expect((await put(`cells/${id}`, { source: 'print("still here")', force: true })).status).toBe(200);
  // The last calls of the storm may still be running.
  await expect
    .poll(() => rest(server.url, 'POST', `${base}/cells/${id}/execute?mode=rerun`), { timeout: ANSWER_MS })
    .toMatchObject({ status: 200, body: { status: 'ready', stdout: 'still here\n' } });
  const before = (await rest<{ cells: Cell[] }>(server.url, 'GET', `${base}/cells`)).body.cells;
  expect((await closeWhenSettled(server.url, opened.session_id)).status).toBe(200);
  const read = await svc(['validate', path, '--format', 'json']);
  expect(JSON.parse(read.stdout)).toMatchObject({ valid: true });
  const again = await openReady(server.url, path);
  const texts = (cells: readonly Cell[]) => cells.map((cell) => [cell.id, cell.source, cell.test_source]);
  expect(texts(again.cells)).toEqual(texts(before));
}

/** Settings that could prevent a plain cell from running, with the values to reset them to. */
const PUT_BACK: readonly (readonly [route: string, body: unknown])[] = [
  ['worker', { worker: null }],
  ['workers', { workers: [] }],
  ['mounts', { mounts: [] }],
  ['env', { env: {} }],
  ['timeout', { timeout: null }],
];

describe('[RE-66] a storm of odd calls', () => {
  it(
    `seeds ${FIRST} to ${FIRST + SEEDS - 1}`,
    async () => {
      let world = await worldNow(null);
      const faults: string[] = [];
      const seeds = seedsFrom(KEPT, FIRST, SEEDS);
      for (const [at, seed] of seeds.entries()) {
        faults.push(...(await storm(seed, world)));
        expect(server.hasEnded(), `seed ${seed} ended the server: ${server.stderr().slice(-2_000)}`).toBe(
          false,
        );
        world = await worldNow(world);
        // The first round fills the caches.
        if (at === 0 || at === seeds.length - 1) await heapMiB();
      }
      expect(faults).toEqual([]);
      for (const path of folders) await works(path);
      expect((await rest(server.url, 'GET', '/health')).status).toBe(200);
      expect(server.stderr()).not.toMatch(FAULTS_LOGGED);
      await server.stop();
      const { heaps } = JSON.parse(await readFile(join(root, 'probed.json'), 'utf8'));
      expect(heaps.at(-1) - heaps[0]).toBeLessThan(HELD_MIB);
    },
    120_000 + SEEDS * 10_000,
  );
});
