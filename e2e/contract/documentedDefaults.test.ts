import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNotebook } from '../support/notebookFolder.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** The defaults that clients rely on when a request omits a field (docs/spec/rest-notebooks.md). */

let root = '';
let server: ServerProcess;
let notebook: OpenNotebook;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-defaults-'));
  server = await startServerProcess({ grants: [root] });
  const path = await writeNotebook(join(root, 'nb'), {
    toml: 'timeout = 5\n[env]\nA = "1"\n[[mounts]]\nname = "m"\nuri = "file://./data"\n[connections.c]\ndriver = "duckdb"',
    cells: [{ id: 'a0000001', source: 'x = 1' }],
  });
  notebook = await openNotebook(server, path);
});
afterAll(async () => {
  await server.dispose();
  await rm(root, { recursive: true, force: true });
});

const ORACLE = { name: 'o', driver: 'oracle', host: 'db.example', auth: { password: 'a-secret-of-mine' } };

const puts: readonly (readonly [setting: string, body: unknown, answer: object])[] = [
  ['timeout', {}, { timeout: null }],
  ['env', {}, { env: {} }],
  ['mounts', {}, { mounts: [] }],
  ['connections', {}, { connections: [] }],
  ['workers', {}, { configured_workers: [] }],
  [
    'connections',
    { connections: [ORACLE] },
    { connections: [], malformed_connections: [{ name: 'o', error: expect.stringContaining('driver') }] },
  ],
  ['connections', {}, { connections: [] }],
];

describe('[RE-90] a setting that a request omits takes its default', () => {
  it.each(puts)('PUT %s %j', async (setting, body, answer) => {
    const path = `/v1/notebooks/${notebook.sid}/${setting}`;
    expect(await rest(server.url, 'PUT', path, body)).toMatchObject({ status: 200, body: answer });
  });
});

const URI = encodeURIComponent('svc://artifact/none@v=1');
const reads: readonly (readonly [query: string, status: number, detail: RegExp])[] = [
  [`data?artifact_uri=${URI}&offset=-3`, 404, /./],
  [`data?artifact_uri=${URI}&sort_dir=sideways`, 400, /Unknown sort_dir 'sideways'/],
  [`data/export?artifact_uri=${URI}`, 404, /./],
  [`data/export?artifact_uri=${URI}&fmt=xml`, 400, /Unknown format 'xml'/],
];

describe('[RE-90] reads of a table', () => {
  it.each(reads)('GET %s is %i', async (query, status, detail) => {
    const answer = await notebook.get<{ detail: string }>(`/cells/a0000001/${query}`);
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(detail)]);
  });
});
