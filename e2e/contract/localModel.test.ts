/**
 * The AI routes of the built server with a small real model on this machine: models, a streamed chat, suggestions and a
 * job. Only the protocol is checked, not what the model says.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { type LocalModel, startLocalModel } from '../support/localModel.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const PYTHON = process.env['CELLAR_TEST_MODEL'];
/** A slow processor needs a minute or two to read a prompt. */
const PATIENCE_MS = 600_000;

let root = '';
let model: LocalModel;
let server: ServerProcess;
let notebook: OpenNotebook;

// Skipped where CELLAR_TEST_MODEL, the Python with the model and its server, is not set.
describe.runIf(PYTHON !== undefined)('a model on this machine', { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-model-'));
    model = await startLocalModel(PYTHON ?? '');
    server = await startServerProcess({
      grants: [root],
      env: {
        SVC_AI_BASE_URL: model.url,
        SVC_AI_API_KEY: 'any',
        SVC_AI_MODEL: 'smollm2',
        SVC_AI_TIMEOUT_SECONDS: '600',
        SVC_AI_MAX_OUTPUT_TOKENS: '24',
      },
    });
    const cells = [{ id: 'rows0001', source: 'rows = [1, 2]' }];
    notebook = await openNotebook(server, await writeReadyNotebook(join(root, 'n'), { cells }));
  }, PATIENCE_MS);
  afterAll(async () => {
    await server?.dispose();
    await model?.stop();
    await rm(root, { recursive: true, force: true });
  });

  const post = <T>(path: string, body: unknown) =>
    rest<T>(server.url, 'POST', `/v1/notebooks/${notebook.sid}${path}`, body);

  it('[AG-108] lists its models, and streams a chat with its tokens', async () => {
    const models = await notebook.get<{ models: string[]; provider: string }>('/ai/models');
    expect(models.body).toMatchObject({ provider: 'local', models: [expect.stringContaining('SmolLM2')] });
    const response = await fetch(`${server.url}/v1/notebooks/${notebook.sid}/ai/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Say hello.' }),
    });
    const events = (await response.text()).split('\n\n').filter((event) => event !== '');
    expect(events.filter((event) => event.startsWith('event: delta')).length).toBeGreaterThan(0);
    const [, data = ''] = /^event: done\ndata: (.*)$/.exec(events.at(-1) ?? '') ?? [];
    expect(JSON.parse(data)).toEqual({
      model: 'smollm2',
      tokens: { input: expect.any(Number), output: expect.any(Number) },
    });
    expect(JSON.parse(data).tokens.input).toBeGreaterThan(50);
  });

  it('[AG-108] suggests at the caret', async () => {
    const answer = await post('/x/ai/suggest', { cell_id: 'rows0001', before: 'total = ', after: '' });
    expect(answer).toMatchObject({ status: 200, body: { text: expect.any(String), model: 'smollm2' } });
  });

  it('[AG-108] takes the tools of a job, and the job ends without an error', async () => {
    const live = await connectLive(server.url, notebook.sid, '?extensions=1');
    expect((await post('/ai/agent', { message: 'Say hello.', confirm_all: true })).status).toBe(200);
    const done = live.next('agent_done', { timeoutMs: PATIENCE_MS });
    // No tool call of the model is allowed.
    const declined = new AbortController();
    void (async () => {
      for (let since = 0; !declined.signal.aborted; since = live.mark()) {
        const { payload } = await live.next('agent_confirm_request', { since, timeoutMs: PATIENCE_MS });
        live.send('agent_confirm_response', { ...payload, approved: false });
      }
    })().catch(() => undefined); // ended without a request
    const { payload } = await done;
    declined.abort();
    expect(payload).toMatchObject({ cancelled: false, error: null, model: 'smollm2' });
    expect(payload.tokens.input).toBeGreaterThan(0);
    await live.close();
  });
});
