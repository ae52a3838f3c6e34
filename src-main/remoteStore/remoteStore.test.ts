import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPause } from './pause.ts';
import { createRemoteStore } from './remoteStore.ts';

const BYTES = Buffer.from('some bytes');
const SHA = createHash('sha256').update(BYTES).digest('hex');
const MATCH = {
  artifact_id: 'a b',
  version: 2,
  provenance_hash: 'p',
  content_type: 'json/object',
  state: 'ready',
  arrow_schema: null,
  row_count: null,
  byte_size: BYTES.length,
  created_at: 1,
  principal: 'ann',
  build_env: null,
  build_duration_ms: null,
  env_hash: null,
  promotion: null,
  content_sha256: SHA,
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
let server: Server;
let url = '';
let dir = '';
let now = 0;
const problems: string[] = [];
const requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-store-'));
  server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true, force: true });
});
beforeEach(() => {
  now = 0;
  problems.length = 0;
  requests.length = 0;
});

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  };
const open = () =>
  createRemoteStore({
    url,
    headers: { Authorization: 'Bearer x' },
    principalHeader: 'X-Svc-Principal',
    now: () => now,
    onProblem: (words) => problems.push(words),
  });
const ask = (principal: string | null = null) => ({ principal, signal: new AbortController().signal });

describe('[RG-16] a shared store', () => {
  it('requests carry its headers and the user name', async () => {
    answer = json(MATCH);
    expect(await open().match('h', ask('bob'))).toMatchObject({ artifact_id: 'a b', principal: 'ann' });
    expect(requests[0]).toMatchObject({
      url: '/v1/artifacts/by-provenance/h',
      headers: { authorization: 'Bearer x', 'x-svc-principal': 'bob' },
    });
    answer = json({ detail: 'no' }, 404, { 'X-Svc-Provenance-Miss': '1' });
    expect(await open().match('h', ask())).toBeNull();
    expect(requests[1]?.headers['x-svc-principal']).toBeUndefined();
  });

  it.each<readonly [string, Answer, RegExp]>([
    ['a server error', json({ detail: 'broken' }, 500), /refused the request: broken/],
    ['access that is refused', json({ detail: 'Unauthorized' }, 401), /refused the request: Unauthorized/],
    ['a redirect', json({}, 302, { location: 'http://127.0.0.1:1/' }), /redirects/],
    ['a connection that breaks off', (request) => request.destroy(), /is not responding/],
  ])('that answers with %s is not used for a while', async (_what, how, words) => {
    answer = how;
    const store = open();
    await expect(store.match('h', ask())).rejects.toThrow(words);
    expect([store.isAwake(), problems.length]).toEqual([false, 1]);
    expect(problems[0]).toMatch(/tries it again in 30 s/);
    now = 30_000;
    expect(store.isAwake()).toBe(true);
  });

  it('that is slow is paused; a cancelled request does not pause it', async () => {
    answer = () => undefined;
    const slow = open();
    const limit = AbortSignal.abort(new DOMException('too slow', 'TimeoutError'));
    await expect(slow.match('h', { principal: null, signal: limit })).rejects.toThrow(/too slow/);
    expect(slow.isAwake()).toBe(false);
    const stopped = open();
    await expect(stopped.match('h', { principal: null, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(stopped.isAwake()).toBe(true);
  });

  it('of another program is not a store: its 404 is not a miss', async () => {
    answer = json({ detail: 'Not Found' }, 404);
    await expect(open().match('h', ask())).rejects.toThrow(/refused/);
    answer = json({ unknown: true });
    await expect(open().match('h', ask())).rejects.toThrow(/does not support/);
  });

  it('[RG-17] returns bytes only if they match the announced digest', async () => {
    const file = join(dir, 'value');
    const bytes =
      (sent: Buffer): Answer =>
      (_request, response) =>
        response.end(sent);
    answer = bytes(BYTES);
    await open().download(MATCH, { file }, ask());
    expect([requests[0]?.url, await readFile(file)]).toEqual(['/v1/artifacts/a%20b/v/2/data', BYTES]);
    await rm(file);
    for (const wrong of ['some bytex', 'some', 'some bytes and more']) {
      answer = bytes(Buffer.from(wrong));
      await expect(open().download(MATCH, { file }, ask())).rejects.toThrow(/do not match their digest/);
      expect(existsSync(file)).toBe(false);
    }
    await expect(open().download({ ...MATCH, content_sha256: null }, { file }, ask())).rejects.toThrow(
      /no digest/,
    );
  });

  it('gets a file as a form', async () => {
    let body = '';
    answer = (request, response) => {
      void text(request).then((all) => {
        body = all;
        response.end(JSON.stringify(MATCH));
      });
    };
    const file = join(dir, 'sent');
    await writeFile(file, BYTES);
    await open().put('h', { file, metadata: { content_type: 'json/object' } }, ask());
    expect(body).toContain('name="metadata"\r\n\r\n{"content_type":"json/object"}');
    expect(body).toContain('some bytes');
  });
});

it('[RG-16] a store that keeps failing is paused longer each time, up to five minutes', () => {
  let at = 0;
  const pause = createPause(() => at);
  const lengths = [1, 2, 3, 4, 5, 6].map(() => {
    const seconds = pause.begin();
    // Simultaneous failures count once.
    pause.begin();
    at += seconds * 1000;
    expect(pause.isOn()).toBe(false);
    return seconds;
  });
  expect(lengths).toEqual([30, 60, 120, 240, 300, 300]);
  pause.end();
  expect(pause.begin()).toBe(30);
});
