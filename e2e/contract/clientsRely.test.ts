/** Tests shapes and values of answers that existing clients rely on (rest-notebooks, 2), on the built server. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLive } from '../support/liveClient.ts';
import { type CellText, writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';

const CELLS: readonly CellText[] = [
  { id: 'plain001', source: 'n = 1' },
  { id: 'setenv01', source: '# @env CITY=Ulm\nx = 1\ny = "s"' },
  { id: 'nocache1', source: '# @nocache\nx = 2' },
  { id: 'readenv1', source: 'import os\nv = os.getenv("CITY", "none")' },
  { id: 'query001', source: '# @name answer\n# @sql connection=db\nselect 1 as one', language: 'sql' },
  { id: 'picture1', source: 'class P:\n    def _repr_markdown_(self):\n        return "**hi**"\nP()' },
];

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
beforeAll(async () => {
  ({ root, server } = await plainServer('cellar-clients-'));
  const path = await writeNotebook(join(root, 'nb'), {
    toml: '[connections.db]\ndriver = "duckdb"\npath = ":memory:"\n[connections.named]\ndriver = "sqlite"\npath = "a.db"\ncredential = "lab"',
    dependencies: [],
    cells: CELLS,
  });
  notebook = await openNotebook(server, path);
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const ofSession = (path: string) => `/v1/notebooks/${notebook.sid}${path}`;

describe('[RE-100] a leaf lists its values in its outputs, whether or not they are stored', () => {
  const rows: readonly (readonly [id: string, outputs: Readonly<Record<string, unknown>>])[] = [
    ['plain001', { n: 1 }],
    ['setenv01', { x: 1, y: 's' }],
    ['nocache1', { x: 2 }],
    ['readenv1', { os: "<module 'os' (frozen)>", v: 'none' }],
  ];
  it.each(rows)('%s', async (id, outputs) => {
    const ran = await notebook.execute(id);
    const previews = Object.entries(ran.outputs).map(([name, { preview }]) => [name, preview]);
    expect(Object.fromEntries(previews)).toEqual({
      ...outputs,
      ...('os' in outputs ? { os: expect.stringContaining('os') } : {}),
    });
  });
});

it('[RE-101] an unread SQL cell names its table, which can be paged', async () => {
  const live = await connectLive(server.url, notebook.sid);
  const ran = await notebook.execute('query001');
  const uri = ran.artifact_uri ?? '';
  const { payload } = await live.next('cell_output', { where: ({ cell_id }) => cell_id === 'query001' });
  await live.close();
  const shown = await notebook.cell('query001');
  expect([payload.artifact_uris, shown.artifact_uris]).toEqual([{ answer: uri }, { answer: uri }]);
  const page = await notebook.get(`/cells/query001/data?artifact_uri=${encodeURIComponent(uri)}`);
  expect(page.body).toMatchObject({ pageable: true, columns: ['one'], rows: [[1]], total: 1 });
});

describe('[RE-103] an invalid value is refused with the limit or the allowed choices', () => {
  const rows: readonly (readonly [method: 'PUT' | 'POST', path: string, body: unknown, part: object])[] = [
    ['PUT', '/timeout', { timeout: -3 }, { loc: ['body', 'timeout'], input: -3, ctx: { gt: 0 } }],
    ['PUT', '/name', { name: '' }, { loc: ['body', 'name'], input: '', ctx: { min_length: 1 } }],
    ['PUT', '/name', { other: 1 }, { loc: ['body', 'name'], type: 'missing', input: { other: 1 } }],
    ['PUT', '/name', { name: 3 }, { loc: ['body', 'name'], type: 'string_type', input: 3 }],
    [
      'POST',
      '/cells',
      { language: 'cobol' },
      { type: 'enum', input: 'cobol', ctx: { expected: expect.stringContaining("'sql' or") } },
    ],
  ];
  it.each(rows)('%s %s %j', async (method, path, body, part) => {
    const answer = await rest<{ detail: object[] }>(server.url, method, ofSession(path), body);
    expect([answer.status, answer.body.detail]).toEqual([422, [expect.objectContaining(part)]]);
  });

  it('truncates a long one', async () => {
    const body = { name: 'n'.repeat(100_000) };
    const answer = await rest<{ detail: object[] }>(server.url, 'PUT', ofSession('/name'), body);
    expect([answer.status, JSON.stringify(answer.body).length < 1_000]).toEqual([422, true]);
  });
});

describe('[RE-104] fields that are always present', () => {
  it('include the auth of a connection, which a PUT may send back unchanged', async () => {
    const listed = await notebook.get<{ connections: { name: string; credential: unknown }[] }>(
      '/connections',
    );
    const credentials = listed.body.connections.map(({ name, credential }) => [name, credential]);
    expect(credentials).toEqual([
      ['db', null],
      ['named', 'lab'],
    ]);
    const put = await rest(server.url, 'PUT', ofSession('/connections'), listed.body);
    expect(put).toMatchObject({ status: 200, body: { connections: listed.body.connections } });
  });

  it('include the catalog and schema of a table', async () => {
    const made = await rest(server.url, 'PUT', ofSession('/connections'), {
      connections: [
        { name: 'db', driver: 'duckdb', path: ':memory:' },
        { name: 'file', driver: 'sqlite', path: 'made.db' },
      ],
    });
    expect(made.status).toBe(200);
    await notebook.edit(
      'plain001',
      'import sqlite3\nwith sqlite3.connect("made.db") as db:\n    db.execute("create table t (a)")',
    );
    await notebook.execute('plain001');
    const schema = await notebook.get('/connections/file/schema');
    expect(schema.body).toMatchObject({ tables: [{ catalog: null, name: 't' }] });
  });

  it('include the file of a display of the latest run', async () => {
    const ran = await notebook.execute('picture1');
    expect(ran.displays).toMatchObject([
      { content_type: 'text/markdown', file: expect.stringMatching(/\.md$/) },
    ]);
    expect((await notebook.cell('picture1')).display_outputs[0]).not.toHaveProperty('file');
  });
});

const polls: readonly (readonly [path: string, status: number, body: object])[] = [
  ['/v1/registry/summary', 200, { names: [] }],
  ['/v1/registry/pending', 200, { pending: [] }],
  ['/v1/registry/audit', 200, { entries: [] }],
  ['/v1/registry/audit?name=a/b&artifact_id=x&limit=1000', 200, { entries: [] }],
  ['/v1/registry/audit?limit=0', 422, { detail: [expect.objectContaining({ ctx: { ge: 1 } })] }],
  ['/v1/names/a/b', 404, { detail: 'Name not found: a/b' }],
];

it.each(polls)('[RE-105] GET %s is %i', async (path, status, body) => {
  expect(await rest(server.url, 'GET', path)).toMatchObject({ status, body });
});
