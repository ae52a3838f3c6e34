/**
 * Tests the database connections of a notebook over REST on a real server: schemas, replaced lists, and
 * cells that become idle.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { type Answer, rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-connections-'));
  server = await startServerProcess({ grants: [root] });
  const toml = `
# kept
[connections.db]
driver = "sqlite"   # beside
path = "ev.db"

[connections.broken]
path = "no driver"
`;
  const cells = [{ id: 'q', source: '# @sql connection=db\nSELECT * FROM ev', language: 'sql' }] as const;
  const dir = await writeReadyNotebook(join(root, 'nb'), { cells, toml });
  const database = new Database(join(dir, 'ev.db'));
  database.exec('CREATE TABLE ev (id INTEGER NOT NULL, v REAL); CREATE VIEW w AS SELECT id FROM ev');
  database.close();
  notebook = await openNotebook(server, dir);
});
afterAll(async () => {
  await server?.dispose();
  await rm(root, { recursive: true, force: true });
});

const toml = () => readFile(join(notebook.path, 'notebook.toml'), 'utf8');
const at = (path: string) => `/v1/notebooks/${notebook.sid}${path}`;
const deep = (levels: number): unknown => JSON.parse(`${'{"k":'.repeat(levels)}1${'}'.repeat(levels)}`);
type Listed = { connections: Readonly<Record<string, unknown>>[]; malformed_connections: { name: string }[] };
const put = (connections: unknown): Promise<Answer<Listed>> =>
  rest(server.url, 'PUT', at('/connections'), { connections });

it('[SQ-31] the schema of a connection is its tables and columns; failures are reported', async () => {
  const { status, body } = await notebook.get('/connections/db/schema');
  expect([status, body]).toEqual([
    200,
    {
      connection: 'db',
      driver: 'sqlite',
      tables: [
        {
          catalog: null,
          schema: 'main',
          name: 'ev',
          columns: [
            { name: 'id', type: 'INTEGER', nullable: false },
            { name: 'v', type: 'REAL', nullable: true },
          ],
        },
        {
          catalog: null,
          schema: 'main',
          name: 'w',
          columns: [{ name: 'id', type: 'INTEGER', nullable: true }],
        },
      ],
    },
  ]);
  expect(await notebook.get('/connections/gone/schema')).toMatchObject({
    status: 404,
    body: { detail: 'Connection not found' },
  });
  expect(await notebook.get('/connections/broken/schema')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('missing driver') },
  });
});

it('[SQ-32] a PUT replaces the connections: auth texts stay in memory, unusable blocks and comments are preserved', async () => {
  const first = await put([
    { name: 'db', driver: 'sqlite', path: 'ev.db' },
    {
      name: 'pg',
      driver: 'postgresql',
      host: 'localhost',
      auth: { user: `$\{PG_USER}`, password: 'correct horse battery' },
      options: { connect_timeout: 1 },
    },
  ]);
  expect(first.status).toBe(200);
  const text = await toml();
  expect(text).toContain('# kept');
  expect(text).toContain('path = "no driver"');
  expect(text).toContain(`user = "$\{PG_USER}"`);
  expect(text).toContain('password = ""');
  expect(text).not.toContain('correct horse');
  expect(first.body.malformed_connections.map(({ name }) => name)).toEqual(['broken']);
  const { body } = await notebook.get<Listed>('/connections');
  const pgConnection = body.connections.find(({ name }) => name === 'pg');
  expect(pgConnection).toMatchObject({
    host: 'localhost',
    auth: { user: `$\{PG_USER}`, password: '__svc_masked__' },
  });
  // Sending the returned list back keeps the password; only the environment variable is missing.
  expect((await put(body.connections)).status).toBe(200);
  const tested = await rest<{ ok: boolean; problem: string }>(
    server.url,
    'POST',
    at('/x/connections/pg/test'),
  );
  expect(tested).toMatchObject({
    status: 200,
    body: { ok: false, problem: expect.stringContaining('needs PG_USER,') },
  });
  expect(await rest(server.url, 'POST', at('/x/connections/db/test'))).toMatchObject({
    body: { ok: true, problem: null },
  });
  expect((await put([])).body.connections).toEqual([]);
  expect(await toml()).toContain('path = "no driver"');
});

it('[SQ-32] an invalid list changes nothing, and names the connection and the reason', async () => {
  const before = await toml();
  const rows: readonly (readonly [list: unknown, status: number, says: RegExp])[] = [
    [
      [
        { name: 'a', driver: 'sqlite' },
        { name: 'a', driver: 'duckdb' },
      ],
      400,
      /Two connections are named "a"/,
    ],
    [[{ name: 'a', driver: 5 }], 400, /connection 'a': .*driver must be a string/],
    [[{ name: 'a' }], 400, /connection 'a': missing driver/],
    [[{ name: '1a', driver: 'sqlite' }], 400, /the name must match/],
    [[{ name: '__proto__', driver: 'sqlite' }], 400, /cannot be called __proto__/],
    [[{ driver: 'sqlite' }], 400, /needs a name/],
    [[{ name: 'a', driver: 'sqlite', path: null }], 400, /a value is null/],
    [[{ name: 'a', driver: 'sqlite', auth: { k: 1 } }], 400, /auth must be a table of strings/],
    [
      [{ name: 'a', driver: 'sqlite', path: deep(120) }],
      400,
      /connections\.a is nested more than 100 levels deep/,
    ],
    [[{ name: 'a', driver: 'sqlite', options: deep(3_000) }], 422, /at most 200 levels deep/],
    ['x', 422, /./],
  ];
  for (const [list, status, says] of rows) {
    const answer = await rest<{ detail: unknown }>(server.url, 'PUT', at('/connections'), {
      connections: list,
    });
    expect([list, answer.status]).toEqual([list, status]);
    const { detail } = answer.body;
    expect(typeof detail === 'string' ? detail : JSON.stringify(detail)).toMatch(says);
  }
  expect(await toml()).toBe(before);
});

it('[SQ-33] changing where a connection points makes its cells idle, and they query again', async () => {
  await put([{ name: 'db', driver: 'sqlite', path: 'ev.db' }]);
  expect((await notebook.execute('q')).status).toBe('ready');
  expect((await notebook.cell('q')).status).toBe('ready');
  await put([{ name: 'db', driver: 'sqlite', path: 'other.db' }]);
  expect((await notebook.cell('q')).status).toBe('idle');
  expect((await notebook.execute('q')).error).toMatch(/refers to a file that does not exist:/);
  await put([{ name: 'db', driver: 'sqlite', path: 'ev.db' }]);
  expect((await notebook.execute('q')).cache_hit).toBe(true);
});
