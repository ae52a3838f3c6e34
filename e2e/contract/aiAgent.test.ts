/** Tests jobs of the assistant on a real server with a fake model: edits, confirmations, cancels and failures. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AiReply, type AiServer, startAiServer } from '../../src-main/ai/testing/aiStandIn.ts';
import type { AgentStatus } from '../../src-shared/wire/assistant.ts';
import { SERVER_FRAMES } from '../../src-shared/wire/frames/server.ts';
import type { UndoStack } from '../../src-shared/wire/undo.ts';
import { connectLive, type LiveClient } from '../support/liveClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type Answer, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let ai: AiServer;
let notebook: OpenNotebook;
let live: LiveClient;
let notebookCount = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-ai-agent-'));
  ai = await startAiServer();
  server = await startServerProcess({
    grants: [root],
    env: {
      SVC_AI_BASE_URL: `${ai.origin}/v1`,
      SVC_AI_API_KEY: 'server-key-0123456789',
      SVC_AI_MODEL: 'small-1',
    },
  });
});
afterAll(async () => {
  await server.dispose();
  await ai.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  notebookCount += 1;
  const cells = [
    { id: 'first001', source: 'x = 20' },
    { id: 'second01', source: 'y = x + 1' },
  ];
  const dir = await writeReadyNotebook(join(root, `n${notebookCount}`), { cells });
  notebook = await openNotebook(server, dir);
  live = await connectLive(server.url, notebook.sid, '?extensions=1');
});
afterEach(async () => {
  await live.close();
  await notebook.close();
});

function post<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>> {
  return rest<T>(server.url, 'POST', `/v1/notebooks/${notebook.sid}${path}`, body);
}

let calls = 0;
function tools(...wanted: readonly (readonly [string, object])[]): AiReply {
  return {
    kind: 'tools',
    text: '',
    calls: wanted.map(([name, args]) => {
      calls += 1;
      return { id: `call_${calls}`, name, arguments: JSON.stringify(args) };
    }),
  };
}
const text = (words: string): AiReply => ({ kind: 'text', text: words });

describe('a job of the assistant', () => {
  it('[AG-1] [AG-22] [AG-56] sends its changes as frames, is one undo step, and is remembered in the chat', async () => {
    ai.next(
      tools(
        ['create_cell', { source: 'z = y * 2', after_variable: 'y' }],
        ['edit_cell', { variable_name: 'x', new_source: 'x = 5' }],
        ['run_cell', { variable_name: 'z' }],
      ),
      text('Done: z is 12.'),
    );
    const started = await post<{ job_id: string; status: string }>('/ai/agent', { message: 'Double it' });
    expect(started).toMatchObject({ status: 200, body: { status: 'started' } });
    const { job_id: job } = started.body;
    const { payload: done } = await live.next('agent_done');
    expect(done).toMatchObject({
      job_id: job,
      content: 'Done: z is 12.',
      model: 'small-1',
      iterations: 2,
      cancelled: false,
      error: null,
      tool_calls: [{ tool: 'create_cell' }, { tool: 'edit_cell', result: 'Changed.' }, { tool: 'run_cell' }],
    });
    expect(done.tool_calls[2]?.result).toContain('status: ready');
    await live.next('notebook_state', { since: live.frames.findIndex(({ type }) => type === 'agent_done') });
    // Every frame of the assistant has its declared shape.
    for (const { type, payload } of live.frames) {
      if (!type.startsWith('agent_')) continue;
      expect(SERVER_FRAMES[type].payload.safeParse(payload).error).toBe(undefined);
      expect(payload).toMatchObject({ job_id: job });
    }
    const { body } = await notebook.get<{ cells: { id: string; source: string }[] }>('/cells');
    expect(body.cells.map(({ source }) => source)).toEqual(['x = 5', 'y = x + 1', 'z = y * 2']);
    const added = body.cells[2]?.id ?? '';
    const undo = await notebook.get<UndoStack>('/x/undo');
    expect(undo.body.done).toEqual([
      {
        id: done.undo_id,
        deed: 'assistant',
        changes: [
          { kind: 'added', cellId: added },
          { kind: 'source', cellId: 'first001', before: 'x = 20', after: 'x = 5' },
        ],
      },
    ]);
    expect(live.frames.filter(({ type }) => type === 'undo_recorded')).toHaveLength(2);
    const file = join(notebook.path, '.svc', 'agent_history.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual([
      // The job starts with no earlier actions; a window that opens later can rewind to this mark.
      { role: 'user', content: 'Double it', mark: { done: [], forgotten: 0 } },
      { role: 'assistant', content: 'Done: z is 12.' },
    ]);
    const { body: status } = await notebook.get<AgentStatus>('/x/ai/agent');
    expect(status).toMatchObject({ job: null, history: [{ role: 'user' }, { role: 'assistant' }] });
    expect(status.usage['small-1']?.requests).toBe(2);
    expect(await post('/ai/agent/reset', undefined)).toMatchObject({ status: 200, body: { status: 'ok' } });
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('[AG-12] [AG-20] confirms a deletion: accepting deletes, declining does not, and one job runs at a time', async () => {
    ai.next(
      tools(['delete_cell', { variable_name: 'y' }], ['delete_cell', { variable_name: 'x' }]),
      text('Deleted y.'),
    );
    const { body } = await post<{ job_id: string }>('/ai/agent', { message: 'Clean up' });
    const { payload: first } = await live.next('agent_confirm_request');
    expect(first).toMatchObject({
      job_id: body.job_id,
      tool: 'delete_cell',
      arguments: { variable_name: 'y' },
      args: { variable_name: 'y' },
      summary: 'Delete cell y',
      preview: { kind: 'delete', cell_id: 'second01', source: 'y = x + 1' },
    });
    expect((await post('/ai/agent', { message: 'Another' })).status).toBe(409);
    const { body: status } = await notebook.get<AgentStatus>('/x/ai/agent');
    expect(status.job).toMatchObject({ job_id: body.job_id, confirmation: { request_id: first.request_id } });
    live.send('agent_confirm_response', { request_id: '000000000000', approved: true });
    live.send('agent_confirm_response', {
      job_id: body.job_id,
      request_id: first.request_id,
      approved: true,
    });
    const { payload: second } = await live.next('agent_confirm_request', {
      where: ({ request_id: id }) => id !== first.request_id,
    });
    live.send('agent_confirm_response', { job_id: body.job_id, approved: false });
    const { payload: done } = await live.next('agent_done');
    expect(second.arguments).toEqual({ variable_name: 'x' });
    expect(done.tool_calls.map(({ result }) => result)).toEqual([
      'Deleted.',
      expect.stringMatching(/^declined/),
    ]);
    expect((await readdir(join(notebook.path, 'cells'))).sort()).toEqual(['first001.py']);
  });

  it('[AG-8] agent_cancel stops a running cell, and the notebook still works', async () => {
    await notebook.edit('second01', 'import time\ny = x\ntime.sleep(600)');
    ai.next(tools(['run_cell', { variable_name: 'y' }]), text('never'));
    await post('/ai/agent', { message: 'Run it' });
    await live.next('cell_status', {
      where: ({ cell_id: id, status }) => id === 'second01' && status === 'running',
    });
    live.send('agent_cancel', {});
    const { payload: done } = await live.next('agent_done');
    expect(done).toMatchObject({ cancelled: true, error: null, undo_id: null });
    expect((await notebook.cell('second01')).status).not.toBe('running');
    expect((await notebook.execute('first001')).status).toBe('ready');
  });

  it('[AG-5] a provider failure ends the job with its message', async () => {
    ai.next({ kind: 'error', status: 401, message: 'wrong key' });
    await post('/ai/agent', { message: 'Go' });
    const { payload: done } = await live.next('agent_done');
    expect(done).toMatchObject({ cancelled: false, error: expect.stringContaining('rejected the API key') });
  });
});

describe('a job over Anthropic’s own API', () => {
  it('[AG-57] streams its tools, and the results go back in its form', async () => {
    const put = {
      model: 'claude',
      base_url: `${ai.origin}/anthropic/v1`,
      max_output_tokens: null,
      timeout_seconds: null,
    };
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/x/ai`, put);
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/env`, {
      env: { SVC_AI_API_KEY: 'own-key-123456' },
    });
    const before = ai.asked.length;
    ai.next(tools(['edit_cell', { variable_name: 'x', new_source: 'x = 6' }]), text('Changed it.'));
    await post('/ai/agent', { message: 'Make it six' });
    const { payload: done } = await live.next('agent_done');
    expect(done).toMatchObject({ content: 'Changed it.', model: 'claude', error: null });
    const [first, second] = ai.asked.slice(before);
    expect(first?.path).toBe('/anthropic/v1/messages');
    expect(first?.headers['x-api-key']).toBe('own-key-123456');
    expect(second?.body?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', content: 'Changed.' }],
    });
    expect((await notebook.cell('first001')).source).toBe('x = 6');
  });
});
