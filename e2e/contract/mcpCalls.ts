/**
 * Calls every MCP tool through an official client and checks the answers; the same rows for the clients of each
 * language.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { McpDriver } from '../support/mcpClient.ts';
import type { OpenNotebook } from '../support/openNotebook.ts';

const FIGURE = 'class P:\n  def _repr_png_(self): return b"png"\nP()';
export const CELLS = [
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
export const TOML = '[connections.mem]\ndriver = "duckdb"\n';

interface Row {
  readonly tool: string;
  readonly args: (known: Known) => Record<string, unknown>;
  /** Fields of the structured result; of a refused call, `refuses` has the message instead. */
  readonly gives?: object;
  readonly refuses?: RegExp;
}

/** Ids that earlier rows made. */
interface Known {
  added: string;
}

const AT = (cell_id: string) => () => ({ cell_id });
const SOME = expect.anything();

/** In order: each row starts from the state that the one before it left. Every tool has a row. */
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

/** Checks that every tool answers in its documented shape. */
export async function callEveryTool(agent: McpDriver, notebook: OpenNotebook): Promise<void> {
  const { result } = await agent.call<{ result: { session_id: string }[] }>('list_notebooks');
  expect(result).toContainEqual({
    session_id: notebook.sid,
    name: 'Test notebook',
    path: notebook.path,
  });
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
}

/** Checks that figures of a cell are images in the answer. */
export async function readFigure(agent: McpDriver, { sid }: OpenNotebook): Promise<void> {
  const images = await agent.images('get_cell', { session_id: sid, cell_id: 'figure01' });
  expect(images).toEqual([{ mimeType: 'image/png', data: Buffer.from('png').toString('base64') }]);
}

/** Checks that a second run is refused as busy and the first can be stopped. @param mark a file that does not exist */
export async function checkBusyRefusal(agent: McpDriver, { sid }: OpenNotebook, mark: string): Promise<void> {
  const source = `open(${JSON.stringify(mark)}, "w").close()\nimport time\nwhile True: time.sleep(0.01)`;
  const { id } = await agent.call<{ id: string }>('add_cell', { session_id: sid, source });
  const run = agent.call('run_cell', { session_id: sid, cell_id: id });
  await expect.poll(() => existsSync(mark), { timeout: 60_000 }).toBe(true);
  expect(await agent.refused('run_cell', { session_id: sid, cell_id: 'leaf0001' })).toBe(
    `Notebook is already executing cell ${id} Retry after the current run finishes.`,
  );
  expect(await agent.call('cancel_cell', { session_id: sid, cell_id: id })).toMatchObject({
    cancelled: true,
  });
  expect(await run).toMatchObject({ cell_id: id, status: 'error', error_code: 'cancelled' });
}

/** Checks that a caller with only `notebook:read` can read, and is refused everything else. */
export async function checkReadOnlyScope(agent: McpDriver): Promise<void> {
  expect(await agent.call('list_notebooks')).toEqual({ result: [] });
  for (const [tool, args, scope] of SCOPED) {
    const words = await agent.refused(tool, { session_id: 's', ...args });
    expect(words).toBe(`'${tool}' requires the ${scope} scope`);
  }
}

const SCOPED: readonly [tool: string, args: Record<string, unknown>, scope: string][] = [
  ['add_cell', { source: 'x = 1' }, 'notebook:write'],
  ['run_cell', { cell_id: 'a' }, 'notebook:execute'],
  ['publish', { cell_id: 'a', variable: 'x' }, 'artifacts:publish'],
];
