import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UndoStack } from '../../src-shared/wire/undo.ts';
import { connectLive } from '../support/liveClient.ts';
import { connectMcp, type McpClient } from '../support/mcpClient.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** The official MCP client drives a whole notebook of the built program. */

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
let agent: McpClient;

const FIGURE = 'class P:\n  def _repr_png_(self): return b"png"\nP()';
const CELLS = [
  { id: 'figure01', source: FIGURE },
  {
    id: 'table001',
    source: '# @name t\n# @sql connection=mem\nSELECT * FROM (VALUES (3), (1), (2)) AS v (x)',
    language: 'sql' as const,
  },
  { id: 'base0001', source: 'base = [3, 1, 2]' },
  { id: 'reader01', source: 'rows = len(base)\nprint("rows", rows)' },
  { id: 'leaf0001', source: 'rows + 1' },
  { id: 'slider01', source: 'n = slider(0, 10, default=2)', language: 'widget' as const },
  { id: 'variant1', source: '# @variant m a\nv = 1' },
  { id: 'variant2', source: '# @variant m b\nv = 2' },
];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-mcp-'));
  server = await startServerProcess({
    grants: [root],
    env: { SVC_MCP_ENABLED: 'true', SVC_ARTIFACT_DIR: join(root, 'store') },
  });
  const toml = '[connections.mem]\ndriver = "duckdb"\n';
  notebook = await openNotebook(
    server,
    await writeReadyNotebook(join(root, 'driven'), { cells: CELLS, toml }),
  );
  agent = await connectMcp(server.url);
});
afterAll(async () => {
  await agent?.close();
  await server?.dispose();
  await rm(root, { recursive: true, force: true });
});

interface Row {
  readonly tool: string;
  readonly args: (known: Known) => Record<string, unknown>;
  /** What the structured result has, or the words of a refusal. */
  readonly gives?: object;
  readonly refuses?: RegExp;
}

/** Ids that earlier rows made. */
interface Known {
  added: string;
}

const AT = (cell_id: string) => () => ({ cell_id });
const SOME = expect.anything();

/** In their order, each on what the one before it left. Every tool has a row. */
const ROWS: readonly Row[] = [
  { tool: 'get_notebook', args: () => ({}), gives: { cells: expect.any(Array) } },
  { tool: 'status', args: () => ({}), gives: { name: 'Test notebook' } },
  { tool: 'dag', args: () => ({}), gives: { topological_order: expect.any(Array) } },
  { tool: 'get_cell', args: AT('reader01'), gives: { id: 'reader01', defines: ['rows'], status: 'idle' } },
  { tool: 'get_cell', args: AT('nobody00'), refuses: /^Cell not found$/ },
  { tool: 'run_cell', args: AT('leaf0001'), gives: { cell_id: 'leaf0001', status: 'ok', cache_hit: false } },
  { tool: 'run_cell', args: AT('leaf0001'), gives: { cell_id: 'leaf0001', status: 'ok', cache_hit: true } },
  {
    tool: 'run_cell',
    args: () => ({ cell_id: 'leaf0001', mode: 'odd' }),
    refuses: /^Invalid arguments for 'run_cell': mode/,
  },
  { tool: 'run_cell', args: AT('figure01'), gives: { status: 'ok' } },
  {
    tool: 'get_variable',
    args: () => ({ name: 'rows' }),
    gives: { variable: 'rows', defined: true, defined_in: 'reader01' },
  },
  {
    tool: 'get_variable',
    args: () => ({ name: 'gone' }),
    gives: { defined: false, available: expect.arrayContaining(['base', 'rows']) },
  },
  { tool: 'run_cell', args: AT('table001'), gives: { status: 'ok' } },
  {
    tool: 'table_page',
    args: () => ({ cell_id: 'table001', sort_by: 'x', limit: 2 }),
    gives: { columns: ['x'], rows: [[1], [2]], total: 3 },
  },
  {
    tool: 'table_page',
    args: () => ({ cell_id: 'reader01', variable: 'rows' }),
    refuses: /^This result is not a table\.$/,
  },
  { tool: 'explain', args: AT('reader01'), gives: { cell_id: 'reader01', status: 'ready' } },
  {
    tool: 'search',
    args: () => ({ query: 'LEN(BASE' }),
    gives: {
      truncated: false,
      matches: [expect.objectContaining({ cell_id: 'reader01', where: 'source', line: 1 })],
    },
  },
  {
    tool: 'evaluate',
    args: () => ({ cell_id: 'leaf0001', expression: 'rows * 7' }),
    gives: { ok: true, result: '21' },
  },
  {
    tool: 'evaluate',
    args: () => ({ cell_id: 'leaf0001', expression: '1 / 0' }),
    gives: { ok: false, error: expect.stringContaining('ZeroDivisionError') },
  },
  {
    tool: 'save_cell_output',
    args: AT('figure01'),
    gives: { index: 0, content_type: 'image/png', bytes: 3 },
  },
  {
    tool: 'add_cell',
    args: () => ({ source: 'made = rows * 2\nmade', after: 'reader01', author: 'Ada' }),
    gives: { source: 'made = rows * 2\nmade' },
  },
  { tool: 'add_cell', args: () => ({ source: 'x', after: 'nobody00' }), refuses: /no such cell/ },
  {
    tool: 'edit_cell',
    args: ({ added }) => ({ cell_id: added, source: 'made = rows * 3\nmade', author: 'Ada' }),
    gives: { source: 'made = rows * 3\nmade', updated_by: 'Ada' },
  },
  {
    tool: 'move_cell',
    args: ({ added }) => ({ cell_id: added, index: 0 }),
    gives: { cells: expect.any(Array) },
  },
  { tool: 'run_tests', args: AT('reader01'), refuses: /test/i },
  { tool: 'remove_cell', args: ({ added }) => ({ cell_id: added }), gives: { removed: SOME } },
  {
    tool: 'run_snippet',
    args: () => ({ source: 'raise ValueError("no")' }),
    gives: {
      status: 'error',
      run: expect.objectContaining({ status: 'error', error: expect.stringContaining('no') }),
    },
  },
  {
    tool: 'cancel_cell',
    args: AT('reader01'),
    gives: { cell_id: 'reader01', cancelled: false, status: 'ready' },
  },
  {
    tool: 'set_widget_value',
    args: () => ({ cell_id: 'slider01', values: { n: 7 } }),
    gives: { values: { n: 7 }, run: expect.objectContaining({ status: 'ok' }) },
  },
  {
    tool: 'set_widget_value',
    args: () => ({ cell_id: 'reader01', values: { n: 7 } }),
    refuses: /not a widget cell/,
  },
  {
    tool: 'set_variant',
    args: () => ({ group: 'm', active: 'b' }),
    gives: { variant_groups: [expect.objectContaining({ group: 'm', active_name: 'b' })] },
  },
  {
    tool: 'set_variant',
    args: () => ({ group: 'm', mode: 'sweep' }),
    gives: { variant_groups: [expect.objectContaining({ mode: 'sweep' })] },
  },
  {
    tool: 'get_variable',
    args: () => ({ name: 'v' }),
    gives: {
      defined: true,
      variants: [
        { variant: 'a', cell_id: 'variant1', lineage_variable: 'v' },
        { variant: 'b', cell_id: 'variant2', lineage_variable: 'v' },
      ],
    },
  },
  { tool: 'note', args: () => ({ message: 'done' }), gives: { ok: true } },
  { tool: 'add_dependency', args: () => ({ package: 'not a package' }), refuses: /requirement/ },
  { tool: 'remove_dependency', args: () => ({ package: 'not a package' }), refuses: /requirement/ },
  {
    tool: 'list_workers',
    args: () => ({}),
    gives: { editable: true, workers: [expect.objectContaining({ name: 'local', is_default: true })] },
  },
  {
    tool: 'add_worker',
    args: () => ({ name: 'far', url: 'http://127.0.0.1:9', token_env: 'FAR_TOKEN', set_default: true }),
    gives: {
      default: 'far',
      workers: expect.arrayContaining([
        expect.objectContaining({
          name: 'far',
          url: 'http://127.0.0.1:9',
          token_env: 'FAR_TOKEN',
          transport: 'direct',
          is_default: true,
        }),
      ]),
    },
  },
  {
    tool: 'set_default_worker',
    args: () => ({}),
    gives: { workers: expect.arrayContaining([expect.objectContaining({ name: 'far', is_default: false })]) },
  },
  {
    tool: 'remove_worker',
    args: () => ({ name: 'far' }),
    gives: { workers: [expect.objectContaining({ name: 'local' })] },
  },
  {
    tool: 'connect_ssh_worker',
    args: () => ({ ssh_target: '-oProxyCommand=x', install: false }),
    refuses: /./,
  },
  { tool: 'disconnect_ssh_worker', args: () => ({ name: 'nobody' }), gives: { torn_down: false } },
  {
    tool: 'lineage',
    args: () => ({ cell_id: 'reader01', variable: 'rows' }),
    gives: {
      version: 1,
      content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      steps: [
        expect.objectContaining({ type: 'artifact', source: expect.stringContaining('len(base)') }),
        expect.objectContaining({ type: 'artifact', source: expect.stringContaining('base = [3, 1, 2]') }),
      ],
    },
  },
  {
    tool: 'lineage',
    args: () => ({ cell_id: 'reader01', variable: 'gone' }),
    refuses: /has no stored result for gone/,
  },
  {
    tool: 'publish_preflight',
    args: () => ({ cell_id: 'table001', variable: 't' }),
    gives: { version: 1, exposes: expect.arrayContaining([expect.stringContaining('3 rows')]) },
  },
  {
    tool: 'promote',
    args: () => ({ cell_id: 'table001', variable: 't', name: 'team/t' }),
    refuses: /no team store/,
  },
  {
    tool: 'publish',
    args: () => ({ cell_id: 'table001', variable: 't', title: 'A table' }),
    gives: { token: expect.stringMatching(/^.{43}$/), title: 'A table', copied: 1 },
  },
  { tool: 'publish', args: () => ({ cell_id: 'table001', variable: 't' }), gives: { token: '', copied: 0 } },
];

it('[MC-1] every tool answers the official client in its documented shape', async () => {
  const { result } = await agent.call<{ result: { session_id: string }[] }>('list_notebooks');
  expect(result).toEqual([{ session_id: notebook.sid, name: 'Test notebook', path: notebook.path }]);
  const known: Known = { added: '' };
  for (const { tool, args, gives, refuses } of ROWS) {
    const input = { session_id: notebook.sid, ...args(known) };
    if (refuses !== undefined) {
      expect(await agent.refused(tool, input), tool).toMatch(refuses);
      continue;
    }
    const answer = await agent
      .call(tool, input)
      .catch((error: Error) => expect.fail(`${JSON.stringify(input)}: ${error.message}`));
    expect(answer, tool).toMatchObject(gives ?? {});
    if (tool === 'add_cell') known.added = String(answer['id']);
  }
  const called = new Set(['list_notebooks', ...ROWS.map(({ tool }) => tool)]);
  expect(agent.tools.filter((name) => !called.has(name))).toEqual([]);
  expect(readFileSync(join(notebook.path, '.svc/outputs/figure01-0.png'), 'utf8')).toBe('png');
  expect(await agent.refused('get_notebook', { session_id: 'nobody' })).toBe('Notebook not found');
});

it('[MC-6] figures of a cell are images in the answer', async () => {
  const images = await agent.images('get_cell', { session_id: notebook.sid, cell_id: 'figure01' });
  expect(images).toEqual([{ mimeType: 'image/png', data: Buffer.from('png').toString('base64') }]);
});

it('[MC-7] a second run is refused as busy, and the first one can be stopped', async () => {
  const mark = join(root, 'started');
  const source = `open(${JSON.stringify(mark)}, "w").close()\nimport time\nwhile True: time.sleep(0.01)`;
  const { id } = await agent.call<{ id: string }>('add_cell', { session_id: notebook.sid, source });
  const run = agent.call('run_cell', { session_id: notebook.sid, cell_id: id });
  await expect.poll(() => existsSync(mark)).toBe(true);
  expect(await agent.refused('run_cell', { session_id: notebook.sid, cell_id: 'leaf0001' })).toBe(
    `Notebook is already executing cell ${id} Retry after the current run finishes.`,
  );
  expect(await agent.call('cancel_cell', { session_id: notebook.sid, cell_id: id })).toMatchObject({
    cancelled: true,
  });
  expect(await run).toMatchObject({ cell_id: id, status: 'error', error_code: 'cancelled' });
});

it('[MC-8] windows are notified of changes and runs, and can undo the changes', async () => {
  const live = await connectLive(server.url, notebook.sid, '?extensions=1');
  const { id } = await agent.call<{ id: string }>('add_cell', {
    session_id: notebook.sid,
    source: 'told = 1',
  });
  const note = await live.next('agent_note');
  expect(note.payload).toEqual({ source: 'mcp', text: 'test-agent added told' });
  const added = await live.next('undo_recorded');
  expect(added.payload).toMatchObject({ deed: 'add', changes: [{ kind: 'added', cellId: id }] });
  await live.next('notebook_state');
  await agent.call('edit_cell', { session_id: notebook.sid, cell_id: id, source: 'told = 2' });
  await agent.call('note', { session_id: notebook.sid, message: 'Look here' });
  const second = await live.next('agent_note', { where: ({ source }) => source === 'agent' });
  expect(second.payload.text).toBe('Look here');
  const { body } = await notebook.get<UndoStack>('/x/undo');
  expect(body.done.slice(-2).map(({ deed, changes }) => [deed, changes])).toEqual([
    ['add', [{ kind: 'added', cellId: id }]],
    ['edit', [{ kind: 'source', cellId: id, before: 'told = 1', after: 'told = 2' }]],
  ]);
  await live.close();
});

it("[MC-9] a person's newer text is not overwritten by an agent that has not seen it", async () => {
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
  const reader = (call.body as ReadableStream<Uint8Array>).getReader(); // an event stream has one
  let begun = '';
  while (!/^id: \S+$/m.test(begun)) begun += Buffer.from((await reader.read()).value ?? []).toString();
  const lastId = /^id: (\S+)$/m.exec(begun)?.[1] ?? '';
  await reader.cancel();
  await writeFile(mark, '');
  const resumed = await fetch(`${server.url}/mcp/`, {
    headers: { accept: 'text/event-stream', 'last-event-id': lastId, ...session },
  });
  expect(resumed.status).toBe(200);
  const rest = (resumed.body as ReadableStream<Uint8Array>).getReader(); // as above
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
    ['no JSON', await status(post('{', session)), 400],
    ['a foreign page', await status(post(ping, { ...session, origin: 'http://evil.example' })), 403],
    [
      'without the slash',
      await status(fetch(`${server.url}/mcp`, { method: 'POST', redirect: 'manual' })),
      307,
    ],
    ['the end', await status(fetch(`${server.url}/mcp/`, { method: 'DELETE', headers: session })), 200],
    ['after the end', await status(post(ping, session)), 404],
  ];
  expect(rows.map(([what, got]) => [what, got])).toEqual(rows.map(([what, , wanted]) => [what, wanted]));
});
