/**
 * Tests notebooks in the form that other programs write (`cells[].file` is a name under `cells/`, ids are any text):
 * the built server opens, runs and edits them, and preserves the rest of their files.
 */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionStateBody } from '../../src-shared/wire/notebookState.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { copyEnvironment } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-existing-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

interface Row {
  readonly name: string;
  readonly toml: string;
  readonly files: Readonly<Record<string, string>>;
  /** What each cell that runs prints. */
  readonly prints: Readonly<Record<string, string>>;
}

const HEAD = (id: string): string => `notebook_id = "${id}"\nname = "Existing"\nfuture_top = "kept"\n`;
const MOUNT = '[[mounts]]\nname = "here"\nuri = "file://./data"\nfuture_key = "kept"\n';
const CONNECTION = '[connections.local]\ndriver = "duckdb"\npath = ":memory:"\nfuture_key = "kept"\n';

const rows: readonly Row[] = [
  {
    name: 'file names relative to the cells folder',
    toml: `${HEAD('nb-bare')}
${MOUNT}
${CONNECTION}
[[cells]]
id = "intro"
file = "intro.md"
language = "markdown"
order = 0.0

[[cells]]
id = "load"
file = "load.py"
order = 1.0
note = "kept"

[[cells]]
id = "sum"
file = "summary.py"
order = 2.0
`,
    files: {
      'cells/intro.md': '# Hello\n',
      'cells/load.py': 'values = [1, 2]\n',
      'cells/summary.py': 'print(sum(values))\n',
      'data/a.txt': 'a\n',
    },
    prints: { load: '', sum: '3\n' },
  },
  {
    name: 'ids with spaces, slashes and non-ASCII letters',
    toml: `${HEAD('nb-ids')}
[[cells]]
id = "load data"
file = "load data.py"
order = 0

[[cells]]
id = "größe"
file = "groesse.py"
order = 1

[[cells]]
id = "a/b"
file = "ab.py"
order = 2

[[cells]]
id = "../up"
file = "up.py"
order = 3
`,
    files: {
      'cells/load data.py': 'class Pair:\n    left = 1\ndef double(n):\n    return 2 * n\ndata = 4\n',
      'cells/groesse.py': 'size = double(data)\nprint(size)\n',
      'cells/ab.py': 'print(size + Pair.left)\n',
      'cells/up.py': 'print("up", size)\n',
    },
    prints: { 'load data': '', größe: '8\n', 'a/b': '9\n', '../up': 'up 8\n' },
  },
  {
    name: 'an inline array with a trailing comma',
    toml: `${HEAD('nb-inline')}cells = [
    {id = "a", file = "a.py", language = "python", order = 0.0}, # first
    {id = "b", file = "b.py", order = 1.0, note = "kept"},
]
`,
    files: { 'cells/a.py': 'x = 20\n', 'cells/b.py': 'print(x + 1)\n' },
    prints: { a: '', b: '21\n' },
  },
  {
    name: 'one cell in an inline array',
    toml: `${HEAD('nb-one')}cells = [{id = "a", file = "a.py"},]\n`,
    files: { 'cells/a.py': 'print(1)\n' },
    prints: { a: '1\n' },
  },
];

const PROJECT =
  '[project]\nname = "existing"\nversion = "0.1.0"\nrequires-python = ">=3.10"\ndependencies = []\n';

/** The first notebook that was opened; the others get a copy of its environment. */
let first: string | null = null;

async function open(row: Row): Promise<OpenNotebook> {
  const dir = join(root, row.name);
  const files = { ...row.files, 'notebook.toml': row.toml, 'pyproject.toml': PROJECT };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  if (first !== null) await copyEnvironment(first, dir);
  const notebook = await openNotebook(server, dir);
  first ??= dir;
  return notebook;
}

const countKept = (text: string): number => text.match(/= "kept"/g)?.length ?? 0;

describe.each(rows)('[NF-61] [NF-62] an existing notebook: $name', (row) => {
  const cells = Object.keys(row.prints);

  it('opens, runs, and every structural edit preserves the rest of the file', async () => {
    const notebook = await open(row);
    const toml = () => readFile(join(notebook.path, 'notebook.toml'), 'utf8');
    const state = async () =>
      (await rest<SessionStateBody>(server.url, 'GET', `/v1/notebooks/sessions/${notebook.sid}`)).body;
    const at = (id: string, rest = ''): string =>
      `/v1/notebooks/${notebook.sid}/cells/${encodeURIComponent(id)}${rest}`;
    const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
      const answer = await rest<Record<string, unknown>>(server.url, method, path, body);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 200 });
      return answer.body;
    };

    for (const id of cells) {
      await call('POST', at(id, '/execute'));
      const ran = await notebook.cell(id);
      expect([id, ran.status, ran.console_stdout]).toEqual([id, 'ready', row.prints[id]]);
    }
    expect(await toml()).toBe(row.toml);

    const [first = ''] = cells;
    await call('PUT', at(first), { source: '# edited\nprint("edited")\n' });
    await call('PUT', at(first, '/tests'), { source: 'def test_it():\n    assert True\n' });
    const added = (await call('POST', `/v1/notebooks/${notebook.sid}/cells`, {
      after_cell_id: first,
    })) as { id: string };
    expect(await toml()).toContain(`file = "${added.id}.py"`);
    const order = [...cells].reverse();
    await call('PUT', `/v1/notebooks/${notebook.sid}/cells/reorder`, { cell_ids: order });
    await call('PUT', `/v1/notebooks/${notebook.sid}/name`, { name: 'Renamed' });
    const { mounts, connections: before } = await state();
    await call('PUT', `/v1/notebooks/${notebook.sid}/mounts`, { mounts });
    const connections = before.map(({ future_key: _, ...known }) => known);
    await call('PUT', `/v1/notebooks/${notebook.sid}/connections`, { connections });
    expect(countKept(await toml())).toBe(countKept(row.toml));

    for (const id of [...cells, added.id]) await call('DELETE', at(id));
    expect((await state()).cells.filter(({ language }) => language === 'python')).toEqual([]);
    expect((await readdir(join(notebook.path, 'cells'))).filter((name) => name.endsWith('.py'))).toEqual([]);
    await call('POST', `/v1/notebooks/${notebook.sid}/close`);

    const again = await openNotebook(server, notebook.path);
    const { id } = (await call('POST', `/v1/notebooks/${again.sid}/cells`, {})) as { id: string };
    expect((await again.cell(id)).status).toBe('idle');
    expect(await readdir(root)).not.toContain('up.py');
  });
});

const EVERY_KIND: Row = {
  name: 'every kind of file',
  toml: `${HEAD('nb-kinds')}created_at = 2026-01-02T03:04:05Z

[my_tool]
setting = [1, 2, {deep = true}]

[env]
REGION = "north"
API_TOKEN = ""

${MOUNT}
${CONNECTION}
[[cells]]
id = "text"
file = "text.md"
language = "markdown"
order = 0.0

[[cells]]
id = "slide"
file = "slide.widget"
language = "widget"
order = 1.0

[[cells]]
id = "ask"
file = "ask.py"
language = "sql"
order = 2.0
note = "kept"

[[cells]]
id = "stat"
file = "stat.r"
language = "r"
order = 3.0
`,
  files: {
    'cells/text.md': 'Text',
    'cells/slide.widget': 'n = slider(1, 10, value=3)\n',
    'cells/ask.py': '# @sql connection=local\nselect 1 as one\n',
    'cells/stat.r': 'm <- 1 + 1\n',
    'data/a.txt': 'a\n',
  },
  prints: { ask: '' },
};

// The test above also compares files after runs, so a normal run uses only one of its notebooks here.
it.each(rowsOfRun([...rows, EVERY_KIND], (row, index) => row === EVERY_KIND || index === 0))(
  '[NF-71] an existing notebook is unchanged byte for byte after opening and running: $name',
  async (row) => {
    const notebook = await open({ ...row, name: `${row.name}, untouched` });
    for (const id of Object.keys(row.prints)) {
      const path = `/v1/notebooks/${notebook.sid}/cells/${encodeURIComponent(id)}/execute`;
      expect(await rest(server.url, 'POST', path)).toMatchObject({ status: 200, body: { status: 'ready' } });
    }
    expect((await notebook.close()).status).toBe(200);
    const files = { ...row.files, 'notebook.toml': row.toml, 'pyproject.toml': PROJECT };
    for (const [path, text] of Object.entries(files))
      expect([path, await readFile(join(notebook.path, path), 'utf8')]).toEqual([path, text]);
  },
);

it('[RE-107] opening an open notebook right after a change on disk returns the cells as on disk', async () => {
  const [row] = rows;
  if (row === undefined) throw new Error('no notebook');
  const notebook = await open({ ...row, name: 'changed outside' });
  for (let round = 0; round < 5; round += 1) {
    const added = `\n[[cells]]\nid = "more${round}"\nfile = "more${round}.py"\norder = ${10 + round}\n`;
    await writeFile(join(notebook.path, `cells/more${round}.py`), `print(${round})\n`);
    await writeFile(join(notebook.path, 'cells/load.py'), `values = [${round}]\n`);
    const toml = await readFile(join(notebook.path, 'notebook.toml'), 'utf8');
    await writeFile(join(notebook.path, 'notebook.toml'), toml + added);
    const answer = await rest<SessionStateBody>(server.url, 'POST', '/v1/notebooks/open', {
      path: notebook.path,
    });
    const sources = Object.fromEntries(answer.body.cells.map(({ id, source }) => [id, source]));
    expect([answer.body.session_id, sources]).toEqual([
      notebook.sid,
      expect.objectContaining({ [`more${round}`]: `print(${round})\n`, load: `values = [${round}]\n` }),
    ]);
  }
});
