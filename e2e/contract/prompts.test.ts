/**
 * Tests prompt cells on a real server with fake models: values, streams, cancels, and which key goes to which address.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AiReply, type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import type { AiStatus } from '../../src-shared/wire/routes/ai.ts';
import { connectLive } from '../support/liveClient.ts';
import type { CellText } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type Answer, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const SERVER_KEY = 'server-key-0123456789';
const OWN_KEY = 'own-key-9876543210';

let root = '';
let server: ServerProcess;
let ai: AiServer;
let other: AiServer;
let notebookCount = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-prompts-'));
  ai = await startAiServer();
  server = await startServerProcess({
    grants: [root],
    env: { SVC_AI_BASE_URL: `${ai.origin}/v1`, SVC_AI_API_KEY: SERVER_KEY, SVC_AI_MODEL: 'small-1' },
  });
});
afterAll(async () => {
  await server.dispose();
  await ai.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  other = await startAiServer();
});
afterEach(() => other.close());

const text = (words: string): AiReply => ({ kind: 'text', text: words });

async function notebookOf(cells: readonly CellText[], toml = ''): Promise<OpenNotebook> {
  notebookCount += 1;
  return openNotebook(server, await writeReadyNotebook(join(root, `n${notebookCount}`), { cells, toml }));
}

function put<T>(open: OpenNotebook, path: string, body: unknown): Promise<Answer<T>> {
  return rest<T>(server.url, 'PUT', `/v1/notebooks/${open.sid}${path}`, body);
}

const status = async (open: OpenNotebook): Promise<AiStatus> => (await open.get<AiStatus>('/ai/status')).body;

describe('a prompt cell of a served notebook', () => {
  it('[PR-3] [PR-6] [PR-13] reads values and can be read by cells, which a new answer makes stale', async () => {
    const open = await notebookOf([
      { id: 'up000001', source: 'rows = [1, 2.0]\nn = 3.5' },
      {
        id: 'ask00001',
        language: 'prompt',
        source: '# @name ans\nSum {{ rows }} {{ n.real }} {{ rows.append(4) }}',
      },
      { id: 'read0001', source: 'print(ans.upper())' },
    ]);
    ai.next(text('first'));
    expect((await open.execute('read0001')).stdout).toBe('FIRST\n');
    expect(ai.asked.at(-1)?.body?.messages).toEqual([
      { role: 'user', content: 'Sum [\n  1,\n  2.0\n] 3.5 {{ rows.append(4) }}' },
    ]);
    const cell = await open.cell('ask00001');
    expect(cell).toMatchObject({
      status: 'ready',
      defines: ['ans'],
      references: ['n', 'rows'],
      execution_method: 'llm',
      console_stderr: 'small-1: 11 tokens in, 7 out\n',
      display_outputs: [
        { content_type: 'text/markdown', markdown_text: 'first', usage: { model: 'small-1' } },
      ],
    });
    const requestCount = ai.asked.length;
    expect((await open.execute('ask00001')).cache_hit).toBe(true);
    expect((await open.execute('read0001')).cache_hit).toBe(true);
    expect(ai.asked).toHaveLength(requestCount);
    ai.next(text('second'));
    expect((await open.execute('ask00001', 'rerun')).cache_hit).toBe(false);
    expect((await open.cell('read0001')).status).toBe('stale');
    expect((await open.execute('read0001')).stdout).toBe('SECOND\n');
    await open.close();
  });

  it('[PR-7] is ready after reopening, and editing a comment makes no request', async () => {
    const open = await notebookOf([{ id: 'ask00001', language: 'prompt', source: 'Say it' }]);
    ai.next(text('it'));
    await open.execute('ask00001');
    const requestCount = ai.asked.length;
    await open.close();
    const again = await openNotebook(server, open.path);
    expect(await again.cell('ask00001')).toMatchObject({
      status: 'ready',
      display_outputs: [{ markdown_text: 'it' }],
    });
    await again.edit('ask00001', '# why\nSay it');
    expect((await again.cell('ask00001')).status).toBe('idle');
    expect((await again.execute('ask00001')).cache_hit).toBe(true);
    expect((await again.cell('ask00001')).status).toBe('ready');
    expect(ai.asked).toHaveLength(requestCount);
    await again.close();
  });

  it('[PR-12] streams the answer, withdraws failed attempts, and masks secrets', async () => {
    const secret = 'secret-of-the-notebook';
    const schema = '# @output_schema {"type":"object","required":["n"]}';
    const open = await notebookOf(
      [{ id: 'ask00001', language: 'prompt', source: `${schema}\nGo` }],
      '[env]\nMODE = "x"\n',
    );
    await put(open, '/env', { env: { MODE: 'x', MY_TOKEN: secret } });
    ai.next(
      { kind: 'error', status: 400, message: 'response_format is unknown' },
      text(`no json but ${secret}!`),
      text('{"n": 1}'),
    );
    const live = await connectLive(server.url, open.sid);
    live.send('cell_execute', { cell_id: 'ask00001' });
    const output = await live.next('cell_output');
    const deltas = live.frames.flatMap((frame) =>
      frame.type === 'cell_output_delta' ? [frame.payload] : [],
    );
    const streamedText = (attempt: number) =>
      deltas
        .filter((delta) => delta.kind === 'delta' && delta.attempt === attempt)
        .map((delta) => delta.text)
        .join('');
    expect(deltas[0]).toMatchObject({ kind: 'notice', text: expect.stringContaining('response format') });
    expect(deltas.filter(({ kind }) => kind === 'retry')).toEqual([
      { cell_id: 'ask00001', kind: 'retry', attempt: 2, text: expect.stringContaining('not valid JSON') },
    ]);
    expect(streamedText(2)).toBe('{"n": 1}');
    expect(JSON.stringify(live.frames)).not.toContain(secret);
    expect(output.payload).toMatchObject({ execution_method: 'llm', display: { preview: { n: 1 } } });
    await live.close();
    await open.close();
  });

  it('[PR-11] is cancelled immediately while the model sends nothing, and the notebook still works', async () => {
    const open = await notebookOf([{ id: 'ask00001', language: 'prompt', source: 'Wait' }]);
    ai.next({ kind: 'silent', text: 'part' });
    const live = await connectLive(server.url, open.sid);
    const before = ai.asked.length;
    live.send('cell_execute', { cell_id: 'ask00001' });
    await live.next('cell_output_delta', { where: (payload) => payload.text === 'part' });
    const at = live.mark();
    live.send('cell_cancel', { cell_id: 'ask00001' });
    await live.next('cell_status', { since: at, where: (payload) => payload.status === 'idle' });
    await ai.asked[before]?.closed;
    ai.next(text('later'));
    expect((await open.execute('ask00001')).status).toBe('ready');
    await live.close();
    await open.close();
  });

  it('[PR-5] [PR-14] never sends the server’s key to an address from the file, but sends a key from the notebook’s environment', async () => {
    const open = await notebookOf(
      [{ id: 'ask00001', language: 'prompt', source: 'Hi' }],
      `[ai]\nbase_url = "${other.origin}/v1"\n`,
    );
    other.next(text('hello'));
    const refused = await open.execute('ask00001');
    expect(refused.status).toBe('error');
    expect(refused.error).toContain(
      ', but the server’s key is sent only to its own address and to the known providers.',
    );
    expect(other.asked).toEqual([]);
    expect((await open.get('/ai/models')).body).toMatchObject({ models: [], current: 'small-1' });
    expect(await status(open)).toMatchObject({
      available: false,
      hint: expect.stringContaining('SVC_AI_API_KEY'),
    });
    await put(open, '/env', { env: { SVC_AI_API_KEY: OWN_KEY } });
    expect((await open.execute('ask00001')).status).toBe('ready');
    expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${OWN_KEY}`]);
    expect((await open.get('/ai/models')).body).toEqual({
      models: ['embed-3', 'large-2', 'small-1'],
      current: 'small-1',
      provider: 'local',
    });
    const answers = JSON.stringify([await status(open), (await open.get('')).body]);
    expect(answers).not.toContain(OWN_KEY);
    expect(answers).not.toContain(SERVER_KEY);
    await open.close();
  });

  it('[PR-13] [PR-14] becomes idle when the model is changed; settings are written key by key', async () => {
    const toml = `[ai]\n# mine\nmodel = "small-1"\napi_key = "${OWN_KEY}"\nbase_url = "${other.origin}/v1" # here\n`;
    const open = await notebookOf([{ id: 'ask00001', language: 'prompt', source: 'Hi' }], toml);
    other.next(text('hello'));
    await open.execute('ask00001');
    expect((await open.cell('ask00001')).status).toBe('ready');
    expect(await put(open, '/ai/model', { model: 'large-2' })).toMatchObject({
      status: 200,
      body: { model: 'large-2' },
    });
    expect(await open.cell('ask00001')).toMatchObject({ status: 'idle', causality: { reason: 'self' } });
    await open.execute('ask00001');
    expect(other.asked.map(({ body }) => body?.model)).toEqual(['small-1', 'large-2']);
    const file = () => readFile(join(open.path, 'notebook.toml'), 'utf8');
    expect(await file()).toContain(`# mine\nmodel = "large-2"\napi_key = "${OWN_KEY}"`);
    const request = {
      model: null,
      base_url: `${other.origin}/v1`,
      max_output_tokens: 55,
      timeout_seconds: 1.5,
    };
    const set = await put<AiStatus>(open, '/x/ai', request);
    expect(set.body).toMatchObject({ available: true, model: 'small-1', own: request });
    expect(await file()).toContain('max_output_tokens = 55');
    expect(await file()).not.toContain('model =');
    for (const bad of ['ftp://x', 'http://user:pass@x', 'x', 'http://x?key=1']) {
      expect((await put(open, '/x/ai', { ...request, base_url: bad })).status).toBe(422);
    }
    await open.close();
  });
});
