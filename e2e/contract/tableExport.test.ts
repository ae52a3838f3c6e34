/**
 * Tests exports from the artifact store of a real server to Iceberg tables: over REST, by command, and with a
 * promotion.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTable } from '../../src-main/iceberg/openTable.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { writeReadyNotebook } from '../support/preparedEnvironment.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { svc } from '../support/svcCommand.ts';

type Body = Readonly<Record<string, unknown>>;

describe('[RG-42] an export to a table', () => {
  let root = '';
  let server: ServerProcess;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cellar-export-'));
    server = await startServerProcess({
      grants: [root],
      env: { SVC_REGISTRY_PROTECTED_ALIASES: 'live' },
    });
  });
  afterAll(async () => {
    await server.dispose();
    await rm(root, { recursive: true, force: true });
  });
  const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
    rest<Body>(server.url, method, path, body);
  const put = async (data: unknown) => {
    const { body } = await call('PUT', '/v1/artifacts', {
      transform: { executor: 't@v1', params: { data } },
      data,
    });
    const [, artifact_id = ''] = /^svc:\/\/artifact\/(.+)@v=1$/.exec(String(body['artifact_uri'])) ?? [];
    return { artifact_id, version: 1, path: `/v1/artifacts/${artifact_id}/v/1` };
  };
  /** The rows of a scan by the server, and the table's snapshots. */
  const contentOf = async (table: string) => {
    const response = await fetch(`${server.url}/v1/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ table }),
    });
    const rows = tableFromIPC(new Uint8Array(await response.arrayBuffer())).toArray();
    const { metadata, close } = await openTable(
      table,
      { defaultCatalog: 'x', catalogs: {}, storage: { s3: {}, gs: {}, az: {} } },
      new AbortController().signal,
    );
    await close();
    return {
      rows: rows.map((row) => row.toJSON()),
      snapshots: metadata.snapshots.map(({ id }) => Number(id)),
    };
  };

  it('creates a table, replaces its rows, tags the snapshot and moves aliases, also protected ones', async () => {
    const table = `${root}#ns.sales`;
    const [one, two] = [await put({ a: [1] }), await put({ a: [2] })];
    const first = await call('POST', `${one.path}/export`, { table, alias: 'next' });
    expect([first.status, first.body]).toEqual([
      200,
      {
        table,
        created: true,
        snapshot_id: expect.any(Number),
        artifact_uri: `svc://artifact/${one.artifact_id}@v=1`,
      },
    ]);
    const second = await call('POST', `${two.path}/export`, { table });
    expect(second.body).toMatchObject({ created: false });
    const { rows, snapshots } = await contentOf(table);
    expect([rows, snapshots]).toEqual([[{ a: 2n }], [first.body['snapshot_id'], second.body['snapshot_id']]]);
    await call('POST', '/v1/names', { name: 'team/sales', ...one });
    const alias = async (name: string, { artifact_id, version }: typeof one) =>
      (await call('PUT', `/v1/names/team/sales/aliases/${name}`, { artifact_id, version })).body['status'];
    expect(await alias('next', two)).toBe('applied');
    expect(await tagsOf(root, 'sales')).toEqual({ next: second.body['snapshot_id'] });
    expect(await alias('live', one)).toBe('pending');
    expect(await tagsOf(root, 'sales')).toEqual({ next: second.body['snapshot_id'] });
    await call('POST', '/v1/registry/pending/approve', { name: 'team/sales', alias: 'live' });
    expect(await tagsOf(root, 'sales')).toEqual({
      next: second.body['snapshot_id'],
      live: first.body['snapshot_id'],
    });
  });

  it('is made by `svc artifact export`', async () => {
    const { artifact_id } = await put({ c: ['x'] });
    const args = ['artifact', 'export', artifact_id, '--artifact-dir', join(server.storageDir, '.artifacts')];
    const done = await svc([...args, '--table', `${root}#ns.by_command`, '--by', 'ann', '--format', 'json']);
    expect([done.stderr, JSON.parse(done.stdout)]).toMatchObject(['', { created: true }]);
    expect((await contentOf(`${root}#ns.by_command`)).rows).toEqual([{ c: 'x' }]);
    const refused = await svc([...args, '--table', `${root}/nowhere#ns.t`]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('There is no warehouse folder'),
    ]);
    expect((await svc(args)).stderr).toContain('name the table: --table TABLE');
  });

  it('is part of a promotion, which sets no name if the export fails', async () => {
    const dir = await writeReadyNotebook(join(root, 'notebook'), {
      toml: '[connections.mem]\ndriver = "duckdb"\n',
      cells: [
        { id: 'made', language: 'sql', source: '# @sql connection=mem\n# @name made\nFROM range(1, 3) t(n)' },
        { id: 'uses', source: 'str(made)' },
      ],
    });
    const notebook = await openNotebook(server, dir);
    expect((await notebook.execute('made')).error).toBe(null);
    const { artifact_uri } = await notebook.cell('made');
    const [, id = '', version = ''] = /artifact\/(.+)@v=(\d+)$/.exec(artifact_uri ?? '') ?? [];
    const path = `/v1/notebooks/${notebook.sid}/artifacts/${id}/v/${version}/promote`;
    const promote = (table: string, name: string) => call('POST', path, { table, name, alias: 'prod' });
    expect((await promote('none:ns.t', 'team/failed')).body).toEqual({
      detail: 'There is no catalog "none". Attach it in the Data panel, or define it in SVC_CATALOGS.',
    });
    const { body: names } = await call('GET', '/v1/names');
    expect(JSON.stringify(names)).not.toContain('team/failed');
    const answer = await promote(`${root}#ns.promoted`, 'team/made');
    expect([answer.status, answer.body]).toMatchObject([200, { table: `${root}#ns.promoted` }]);
    expect((await contentOf(`${root}#ns.promoted`)).rows).toEqual([{ n: 1n }, { n: 2n }]);
    expect(await tagsOf(root, 'promoted')).toEqual({ prod: answer.body['table_snapshot'] });
  });

  it.each<[string, number, () => Promise<{ readonly status: number }>]>([
    [
      'an unknown version',
      404,
      async () => call('POST', '/v1/artifacts/none/v/1/export', { table: `${root}#ns.t` }),
    ],
    ['no table', 422, async () => call('POST', `${(await put([1])).path}/export`, {})],
    ['a bad table', 400, async () => call('POST', `${(await put([1])).path}/export`, { table: 'x' })],
    [
      'an unknown catalog',
      404,
      async () => call('POST', `${(await put([1])).path}/export`, { table: 'no:a.b' }),
    ],
    [
      'a bad alias',
      400,
      async () => call('POST', `${(await put([1])).path}/export`, { table: `${root}#ns.t`, alias: 'a/b' }),
    ],
  ])('with %s is answered by %i', async (_, status, work) => {
    expect((await work()).status).toBe(status);
  });
});

/** The tags of a table with their snapshots, from its newest metadata file. */
async function tagsOf(folder: string, table: string): Promise<Body> {
  const database = new Sqlite(join(folder, 'catalog.db'), { readonly: true });
  const location = database
    .prepare('SELECT metadata_location FROM iceberg_tables WHERE table_name = ?')
    .pluck()
    .get(table);
  database.close();
  const json = JSON.parse(await readFile(new URL(String(location)), 'utf8')) as {
    readonly refs: Readonly<Record<string, { readonly type: string; readonly 'snapshot-id': number }>>;
  };
  const tags = Object.entries(json.refs).filter(([, { type }]) => type === 'tag');
  return Object.fromEntries(tags.map(([tag, ref]) => [tag, ref['snapshot-id']]));
}
