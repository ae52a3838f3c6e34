/**
 * The official MCP client (TypeScript) drives a whole notebook of the built server: tools, scopes, changes and their
 * undo, resources, and resumed streams.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UndoStack } from '../../src-shared/wire/undo.ts';
import { connectLive } from '../support/liveClient.ts';
import { connectMcp, type McpClient } from '../support/mcpClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { startScopedMcp } from '../support/scopedMcp.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { CELLS, callEveryTool, checkBusyRefusal, checkReadOnlyScope, readFigure, TOML } from './mcpCalls.ts';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
let agent: McpClient;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-mcp-'));
  server = await startServerProcess({
    grants: [root],
    env: { SVC_MCP_ENABLED: 'true', SVC_ARTIFACT_DIR: join(root, 'store') },
  });
  notebook = await openNotebook(
    server,
    await writeReadyNotebook(join(root, 'driven'), { cells: CELLS, toml: TOML }),
  );
  agent = await connectMcp(server.url);
});
afterAll(async () => {
  await agent?.close();
  await server?.dispose();
  await rm(root, { recursive: true, force: true });
});

it('[MC-1] every tool answers the official client in its documented shape', async () => {
  await callEveryTool(agent, notebook);
});

it('[MC-6] figures of a cell are images in the answer', () => readFigure(agent, notebook));

it('[MC-7] a second run is refused as busy, and the first one can be stopped', async () => {
  await checkBusyRefusal(agent, notebook, join(root, 'started'));
});

it('[MC-3] a client without a scope is refused', async () => {
  const scoped = await startScopedMcp(['notebook:read']);
  const reader = await connectMcp(scoped.url);
  try {
    await checkReadOnlyScope(reader);
  } finally {
    await reader.close();
    await scoped.close();
  }
});

it('[MC-8] windows are notified of an agent’s changes and runs, and can undo the changes', async () => {
  const live = await connectLive(server.url, notebook.sid, '?extensions=1');
  const { id } = await agent.call<{ id: string }>('add_cell', {
    session_id: notebook.sid,
    source: 'amount = 1',
  });
  const note = await live.next('agent_note');
  expect(note.payload).toEqual({ source: 'mcp', text: 'test-agent added amount' });
  const added = await live.next('undo_recorded');
  expect(added.payload).toMatchObject({ deed: 'add', changes: [{ kind: 'added', cellId: id }] });
  await live.next('notebook_state');
  await agent.call('edit_cell', { session_id: notebook.sid, cell_id: id, source: 'amount = 2' });
  await agent.call('note', { session_id: notebook.sid, message: 'Look here' });
  const second = await live.next('agent_note', { where: ({ source }) => source === 'agent' });
  expect(second.payload.text).toBe('Look here');
  const { body } = await notebook.get<UndoStack>('/x/undo');
  expect(body.done.slice(-2).map(({ deed, changes }) => [deed, changes])).toEqual([
    ['add', [{ kind: 'added', cellId: id }]],
    ['edit', [{ kind: 'source', cellId: id, before: 'amount = 1', after: 'amount = 2' }]],
  ]);
  await live.close();
});

it('[MC-9] an agent does not overwrite a newer text that it has not read', async () => {
  const target = { session_id: notebook.sid, cell_id: 'leaf0001' };
  await agent.call('get_cell', target);
  await notebook.edit('leaf0001', 'rows + 100');
  expect(await agent.refused('edit_cell', { ...target, source: 'rows' })).toMatch(
    /changed since you last read it/,
  );
  expect((await notebook.cell('leaf0001')).source).toBe('rows + 100');
  await agent.call('get_cell', target);
  expect(await agent.call('edit_cell', { ...target, source: 'rows' })).toMatchObject({ source: 'rows' });
});

it('[MC-10] notebooks, cells and table pages are resources, and there are prompts', async () => {
  const { client } = agent;
  const { resources } = await client.listResources();
  expect(resources).toMatchObject([{ uri: `svc://notebook/${notebook.sid}`, name: 'Test notebook' }]);
  const text = async (uri: string): Promise<unknown> => {
    const { contents } = await client.readResource({ uri });
    const [first] = contents;
    return JSON.parse(first !== undefined && 'text' in first ? first.text : 'null');
  };
  const uri = `svc://notebook/${notebook.sid}`;
  expect(await text(uri)).toMatchObject({ cells: expect.any(Array) });
  expect(await text(`${uri}/cell/reader01`)).toMatchObject({ id: 'reader01' });
  expect(await text(`${uri}/cell/table001/table/t?limit=1`)).toMatchObject({ rows: [[3]], total: 3 });
  await expect(text(`${uri}/cell/nobody00`)).rejects.toThrow(/Cell not found/);
  await expect(text('svc://notebook/')).rejects.toThrow(/no resource/);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['summarize_notebook', 'fix_error', 'explain_stale']);
  const prompt = await client.getPrompt({ name: 'summarize_notebook', arguments: { session_id: 'S1' } });
  expect(JSON.stringify(prompt.messages)).toContain('S1');
});

/** A request to the endpoint as another program might send it. */
function post(message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/mcp/`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

it('[MC-11] an interrupted stream is resumed by its last event id', async () => {
  const first = await post(INITIALIZE);
  const session = {
    'mcp-session-id': first.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  await first.text();
  const mark = join(root, 'resume');
  const source = `import os, time\nwhile not os.path.exists(${JSON.stringify(mark)}): time.sleep(0.01)\nprint("over")`;
  const { id } = await agent.call<{ id: string }>('add_cell', { session_id: notebook.sid, source });
  const args = { session_id: notebook.sid, cell_id: id };
  const call = await post(
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'run_cell', arguments: args } },
    session,
  );
  const reader = (call.body as ReadableStream<Uint8Array>).getReader(); // an event stream has a body
  let received = '';
  while (!/^id: \S+$/m.test(received)) received += Buffer.from((await reader.read()).value ?? []).toString();
  const lastId = /^id: (\S+)$/m.exec(received)?.[1] ?? '';
  await reader.cancel();
  await writeFile(mark, '');
  const resumed = await fetch(`${server.url}/mcp/`, {
    headers: { accept: 'text/event-stream', 'last-event-id': lastId, ...session },
  });
  expect(resumed.status).toBe(200);
  const rest = (resumed.body as ReadableStream<Uint8Array>).getReader(); // an event stream has a body
  let text = '';
  while (!text.includes('"id":2')) text += Buffer.from((await rest.read()).value ?? []).toString();
  expect(text).toContain('over');
  await rest.cancel();
});

it('[MC-2] the rules of the REST interface hold at the endpoint', async () => {
  const first = await post(INITIALIZE);
  const session = { 'mcp-session-id': first.headers.get('mcp-session-id') ?? '' };
  expect(first.headers.get('x-content-type-options')).toBe('nosniff');
  await first.text();
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  const status = async (answer: Promise<Response>) => {
    const response = await answer;
    await response.text();
    return response.status;
  };
  const rows = [
    ['the session', await status(post(ping, session)), 200],
    ['no session', await status(post(ping)), 400],
    ['an unknown session', await status(post(ping, { 'mcp-session-id': 'nobody' })), 404],
    ['invalid JSON', await status(post('{', session)), 400],
    [
      'a page of another origin',
      await status(post(ping, { ...session, origin: 'http://evil.example' })),
      403,
    ],
    [
      'an address without the final slash',
      await status(fetch(`${server.url}/mcp`, { method: 'POST', redirect: 'manual' })),
      307,
    ],
    [
      'the end of the session',
      await status(fetch(`${server.url}/mcp/`, { method: 'DELETE', headers: session })),
      200,
    ],
    ['a session that has ended', await status(post(ping, session)), 404],
  ];
  expect(rows.map(([what, got]) => [what, got])).toEqual(rows.map(([what, , wanted]) => [what, wanted]));
});
