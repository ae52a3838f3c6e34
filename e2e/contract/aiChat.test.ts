/**
 * Tests chats and suggestions of the assistant over REST, on a real server with a fake model: streams, failures,
 * missing keys.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AiReply, type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import type { AgentStatus, ContextPreview } from '../../src-shared/wire/assistant.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type Answer, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const KEY = 'server-key-0123456789';

let root = '';
let server: ServerProcess;
let ai: AiServer;
let notebook: OpenNotebook;
/** A notebook whose file names an address to which the server's key is not sent. */
let elsewhere: OpenNotebook;
/** A notebook that waits a fifth of a second for a model. */
let hasty: OpenNotebook;
let before = 0;
const CELLS = [
  { id: 'load0001', source: 'rows = [1, 2]' },
  { id: 'use00001', source: '# @name total\ntotal = sum(rows)' },
];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-ai-chat-'));
  ai = await startAiServer();
  server = await startServerProcess({
    grants: [root],
    env: { SVC_AI_BASE_URL: `${ai.origin}/v1`, SVC_AI_API_KEY: KEY, SVC_AI_MODEL: 'small-1' },
  });
  const open = async (name: string, toml = '') =>
    openNotebook(server, await writeReadyNotebook(join(root, name), { cells: CELLS, toml }));
  notebook = await open('plain');
  elsewhere = await open('elsewhere', `[ai]\nbase_url = "${ai.origin}/other"\n`);
  hasty = await open('hasty', '[ai]\ntimeout_seconds = 0.2\n');
});
afterAll(async () => {
  await server.dispose();
  await ai.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  before = ai.asked.length;
});

const text = (words: string): AiReply => ({ kind: 'text', text: words });

function post<T = Record<string, unknown>>(
  open: OpenNotebook,
  path: string,
  body: unknown,
): Promise<Answer<T>> {
  return rest<T>(server.url, 'POST', `/v1/notebooks/${open.sid}${path}`, body);
}

interface Event {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function stream(open: OpenNotebook, body: unknown): Promise<readonly Event[]> {
  const response = await fetch(`${server.url}/v1/notebooks/${open.sid}/ai/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  return (await response.text())
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });
}

describe('a chat about a notebook', () => {
  it('[AG-50] sends packages, cells, history and the message, and answers with text, model and tokens', async () => {
    ai.next(text('It sums the rows.'));
    const answer = await post(notebook, '/ai/complete', {
      message: 'What does this do?',
      cell_id: 'use00001',
      history: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
      ],
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { content: 'It sums the rows.', model: 'small-1', tokens: { input: 11, output: 7 } },
    });
    const request = ai.asked[before];
    const body = request?.body;
    expect([request?.path, request?.headers.authorization]).toEqual([
      '/v1/chat/completions',
      `Bearer ${KEY}`,
    ]);
    const [system, user, assistant, last] = body?.messages ?? [];
    expect([system?.role, user, assistant, last?.role]).toEqual([
      'system',
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
      'user',
    ]);
    expect(system?.content).toMatch(
      /Packages: [\s\S]*## cell load0001 \(python; defines: rows; uses: -\)\nrows = \[1, 2\][\s\S]*## cell use00001 \(python; name: total; defines: total; uses: rows/,
    );
    expect(last?.content).toMatch(/total = sum\(rows\)[\s\S]*What does this do\?$/);
    expect(body).not.toHaveProperty('tools');
  });

  it('[AG-51] streams deltas, then done', async () => {
    ai.next(text('A longer answer.'));
    const events = await stream(notebook, { message: 'Go' });
    expect(events.at(-1)).toEqual({
      event: 'done',
      data: { model: 'small-1', tokens: { input: 11, output: 7 } },
    });
    const deltas = events.slice(0, -1);
    expect(new Set(deltas.map(({ event }) => event))).toEqual(new Set(['delta']));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ data }) => data['text']).join('')).toBe('A longer answer.');
  });

  it('[AG-51] ends a stream that fails with an error', async () => {
    ai.next({ kind: 'cut', text: 'Half an' });
    const events = await stream(notebook, { message: 'Go' });
    expect(events[0]).toEqual({ event: 'delta', data: { text: 'Half an' } });
    expect(events.at(-1)).toEqual({
      event: 'error',
      data: { message: expect.stringContaining('lost'), code: 'ai_failed' },
    });
  });

  it('[AG-100] a suggestion at the caret is short, and its tokens are counted', async () => {
    ai.next(text('sum(rows)'));
    const body = { cell_id: 'use00001', before: 'total = ', after: '', leave_out: ['load0001'] };
    const answer = await post(notebook, '/x/ai/suggest', body);
    expect(answer).toMatchObject({
      status: 200,
      body: { text: 'sum(rows)', model: 'small-1', tokens: { input: 11, output: 7 } },
    });
    const requestBody = ai.asked[before]?.body;
    expect(requestBody?.['max_completion_tokens'] ?? requestBody?.['max_tokens']).toBe(256);
    expect(JSON.stringify(requestBody)).not.toContain('[1, 2]');
    const { body: status } = await notebook.get<AgentStatus>('/x/ai/agent');
    expect(status.usage['small-1']?.requests).toBeGreaterThan(0);
  });

  it('[AG-101] a suggestion ends when its client leaves; without a key nothing leaves the machine', async () => {
    const body = { cell_id: 'use00001', before: 'total = ', after: '' };
    ai.next({ kind: 'silent', text: '' });
    const leaving = new AbortController();
    const asking = fetch(`${server.url}/v1/notebooks/${notebook.sid}/x/ai/suggest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await ai.whenAsked(before + 1);
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await ai.asked[before]?.closed;
    expect((await post(elsewhere, '/x/ai/suggest', body)).status).toBe(503);
    expect(ai.asked).toHaveLength(before + 1);
  });

  it('[AG-52] ends the request to the provider when the client leaves', async () => {
    ai.next({ kind: 'silent', text: 'part' });
    const leaving = new AbortController();
    const response = await fetch(`${server.url}/v1/notebooks/${notebook.sid}/ai/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Go' }),
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    await ai.asked[before]?.closed;
  });

  it.each<readonly [string, AiReply, number, RegExp]>([
    [
      '429',
      { kind: 'error', status: 429, message: 'slow', headers: { 'retry-after': '7' } },
      429,
      /rate limit/,
    ],
    ['500', { kind: 'error', status: 500, message: 'broken' }, 502, /returned an error \(500\): broken/],
    ['a rejected key', { kind: 'error', status: 401, message: 'no' }, 502, /rejected the API key/],
    [
      'an answer in another format',
      { kind: 'raw', status: 200, type: 'text/html', body: '<p>' },
      502,
      /not valid for this API/,
    ],
    ['a lost connection', { kind: 'cut', text: 'Half' }, 502, /lost/],
  ])('[AG-53] %s of the provider is reported', async (_what, reply, status, message) => {
    ai.next(reply);
    const answer = await post(notebook, '/ai/complete', { message: 'Hi' });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ detail: expect.stringMatching(message) });
    expect(ai.asked).toHaveLength(before + 1);
  });

  it('[AG-53] a provider that does not answer is 504', async () => {
    ai.next({ kind: 'silent', text: '' });
    const answer = await post(hasty, '/ai/complete', { message: 'Hi' });
    expect(answer.status).toBe(504);
    expect(answer.body['detail']).toMatch(/sent nothing for 0\.2 s/);
  });

  it('[AG-54] is 503 without a key for the address, and nothing leaves the machine', async () => {
    for (const path of ['/ai/complete', '/ai/stream', '/ai/agent']) {
      const answer = await post(elsewhere, path, { message: 'Hi' });
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.body['detail']).toContain('the server’s key is sent only to its own address');
    }
    const preview = await post<ContextPreview>(elsewhere, '/x/ai/context', { for: 'chat', message: 'Hi' });
    expect(preview.body).toMatchObject({ provider: null, hint: expect.stringContaining('SVC_AI_API_KEY') });
    expect(ai.asked).toHaveLength(before);
  });

  it('[AG-33] the preview names each part with its size, and cells can be left out', async () => {
    const body = { for: 'chat', message: 'Hi', leave_out: ['load0001'] };
    const preview = await post<ContextPreview>(notebook, '/x/ai/context', body);
    expect(preview.body).toMatchObject({ provider: 'local', model: 'small-1', base_url: `${ai.origin}/v1` });
    expect(preview.body.parts.filter(({ kind }) => kind === 'cell')).toEqual([
      expect.objectContaining({ cell_id: 'use00001', name: 'total', cut: false }),
    ]);
    expect(ai.asked).toHaveLength(before);
    ai.next(text('ok'));
    await post(notebook, '/ai/complete', { message: 'Hi', leave_out: ['load0001'] });
    expect(JSON.stringify(ai.asked[before]?.body)).not.toContain('[1, 2]');
  });

  it.each([
    [{ message: '' }],
    [{ message: 'x'.repeat(10_001) }],
    [{ message: 'x', history: [{ role: 'system', content: 'x' }] }],
    [{ message: 'x', history: [{ role: 'user', content: 'x'.repeat(20_001) }] }],
    [{ message: 'x', history: Array(21).fill({ role: 'user', content: 'x' }) }],
  ])('[AG-55] a request beyond the limits is 422', async (body) => {
    expect((await post(notebook, '/ai/complete', body)).status).toBe(422);
    expect(ai.asked).toHaveLength(before);
  });

  it('[AG-55] is 404 for an unknown cell, also as a stream', async () => {
    for (const path of ['/ai/complete', '/ai/stream']) {
      const answer = await post(notebook, path, { message: 'Hi', cell_id: 'nobody01' });
      expect(answer).toMatchObject({ status: 404, body: { detail: 'Cell not found' } });
    }
    expect(ai.asked).toHaveLength(before);
  });
});
