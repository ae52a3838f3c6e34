import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ConnectSettings } from '../driver.ts';
import { render } from '../render.ts';
import { SqlError } from '../sqlError.ts';
import { collectBatches } from '../testing/bound.ts';
import { ask, NEVER } from '../testing/helpers.ts';
import { type IcebergCatalog, startIcebergCatalog } from '../testing/icebergCatalog.ts';
import { readStatements } from '../text/readStatements.ts';
import { attachStatements } from './catalog.ts';
import { duckdb } from './duckdbDriver.ts';
import { insertionsAt, readPins } from './pins.ts';

/** Iceberg catalogs in DuckDB: the statements that attach them, snapshots of their tables, and real catalogs. */

/** Properties of a catalog, and the statements that attach it or the error message. */
const ATTACHED: readonly (readonly [
  properties: Record<string, unknown>,
  said: readonly string[] | RegExp,
])[] = [
  [
    { uri: 'http://h/c', warehouse: "w'h" },
    [`ATTACH 'w''h' AS "lake" (TYPE iceberg, ENDPOINT 'http://h/c', AUTHORIZATION_TYPE 'none', READ_ONLY)`],
  ],
  [
    { type: 'rest', uri: 'http://h', token: "t'k" },
    [
      `CREATE SECRET cellar_catalog (TYPE iceberg, TOKEN 't''k')`,
      `ATTACH '' AS "lake" (TYPE iceberg, ENDPOINT 'http://h', SECRET cellar_catalog, READ_ONLY)`,
    ],
  ],
  [
    { uri: 'http://h/', credential: 'me:a:b', scope: 'all' },
    [
      `CREATE SECRET cellar_catalog (TYPE iceberg, CLIENT_ID 'me', CLIENT_SECRET 'a:b', OAUTH2_SERVER_URI 'http://h/v1/oauth/tokens', OAUTH2_SCOPE 'all')`,
      `ATTACH '' AS "lake" (TYPE iceberg, ENDPOINT 'http://h/', SECRET cellar_catalog, READ_ONLY)`,
    ],
  ],
  [
    {
      uri: 'http://h',
      's3.endpoint': 'http://minio:9000/',
      's3.access-key-id': 'k',
      's3.secret-access-key': 's',
    },
    [
      `CREATE SECRET cellar_storage (TYPE s3, KEY_ID 'k', SECRET 's', ENDPOINT 'minio:9000', URL_STYLE 'path', USE_SSL 'false')`,
      `ATTACH '' AS "lake" (TYPE iceberg, ENDPOINT 'http://h', AUTHORIZATION_TYPE 'none', READ_ONLY)`,
    ],
  ],
  [
    { type: 'glue', warehouse: '1234', 'glue.region': 'eu-west-1' },
    [
      `CREATE SECRET cellar_storage (TYPE s3, REGION 'eu-west-1')`,
      `ATTACH '1234' AS "lake" (TYPE iceberg, ENDPOINT_TYPE 'glue', READ_ONLY)`,
    ],
  ],
  [{ type: 'sql', uri: 'sqlite:///x' }, /is of type sql.*REST and Glue/],
  [{ warehouse: 'w' }, /neither type nor uri/],
  [{ type: 'rest' }, /needs uri/],
];

test.each(ATTACHED)('[SQ-37] a catalog with %j is attached for reading', (properties, expected) => {
  const attach = () => attachStatements({ name: 'lake', properties });
  if (expected instanceof RegExp) expect(attach).toThrow(expected);
  else expect(attach()).toEqual(expected);
});

/** A query, and the query that is sent when `ns.ev` is at snapshot 7 and `ns.b` at 8. */
const PINNED: readonly (readonly [sql: string, sent: string])[] = [
  ['SELECT * FROM lake.ns.ev', 'SELECT * FROM lake.ns.ev AT (VERSION => 7)'],
  [
    'SELECT * FROM lake.ns.ev AS "e x" WHERE 1',
    'SELECT * FROM lake.ns.ev AS "e x" AT (VERSION => 7) WHERE 1',
  ],
  [
    'SELECT * FROM LAKE.ns.ev e JOIN lake.ns.b USING (id)',
    'SELECT * FROM LAKE.ns.ev e AT (VERSION => 7) JOIN lake.ns.b AT (VERSION => 8) USING (id)',
  ],
  [
    'SELECT * FROM lake.ns.ev, other.ns.ev, ev',
    'SELECT * FROM lake.ns.ev AT (VERSION => 7), other.ns.ev, ev',
  ],
  ['WITH ev AS (SELECT 1) SELECT * FROM ev', 'WITH ev AS (SELECT 1) SELECT * FROM ev'],
];

test.each(PINNED)('[SQ-37] %s is read at its snapshots', (sql, expected) => {
  const [parsed] = readStatements(sql, DIALECTS.duckdb);
  if (parsed === undefined) throw new Error('no statement');
  const insertions = insertionsAt(parsed.statement, 'lake', { 'ns.ev': '7', 'ns.b': '8' });
  expect(render(parsed.statement, DIALECTS.duckdb, insertions).sql).toBe(expected);
});

test('[SQ-37] only numbers become part of a statement', () => {
  for (const text of ['{"ns.ev":"1) --"}', '[1]', '"x"', 'null', '{"ns.ev":7}']) {
    expect(() => readPins(text), text).toThrow();
  }
});

test('[SQ-37] without the extensions, and for writing, it fails with a message', async () => {
  const folder = notebookFolder(mkdtempSync(join(tmpdir(), 'cellar-lake-')));
  const of: ConnectSettings = { ...settings('http://h', folder), options: { extension_directory: folder } };
  await expect(duckdb.connect(of, { access: 'read', signal: NEVER })).rejects.toThrow(
    /needs the DuckDB extension httpfs.*autoinstall_known_extensions/,
  );
  await expect(duckdb.connect(of, { access: 'write', signal: NEVER })).rejects.toThrow(/which is read-only/);
  rmSync(folder, { recursive: true, force: true });
});

/** An `extension_directory` of DuckDB with httpfs, avro and iceberg. */
const EXTENSIONS = process.env['CELLAR_TEST_DUCKDB_EXTENSIONS'] ?? '';

// DuckDB's extensions are downloaded from its own site, which tests must not do.
describe.skipIf(!existsSync(EXTENSIONS))('a catalog of Iceberg tables', () => {
  const folder = notebookFolder(mkdtempSync(join(tmpdir(), 'cellar-lake-')));
  let catalog: IcebergCatalog;
  let owner: DuckDBConnection;
  beforeAll(async () => {
    catalog = await startIcebergCatalog(folder);
    const instance = await DuckDBInstance.create(':memory:', { extension_directory: EXTENSIONS });
    owner = await instance.connect();
    for (const extension of ['httpfs', 'avro', 'iceberg']) await owner.run(`LOAD ${extension}`);
    await owner.run(`CREATE SECRET own (TYPE iceberg, TOKEN '${catalog.token}')`);
    await owner.run(`ATTACH 'wh' AS lake (TYPE iceberg, ENDPOINT '${catalog.url}', SECRET own)`);
    await owner.run('CREATE TABLE lake.ns.ev (id BIGINT, v DOUBLE)');
    await owner.run('CREATE TABLE lake.ns.bare (id BIGINT)');
    await owner.run('INSERT INTO lake.ns.ev VALUES (1, 1.5), (2, 2.5)');
  });
  afterAll(async () => {
    owner?.closeSync();
    await catalog?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (properties: Record<string, unknown> = { token: catalog.token }) => {
    const of = settings(catalog.url, folder, properties);
    return duckdb.connect(
      { ...of, options: { extension_directory: EXTENSIONS } },
      { access: 'read', signal: NEVER },
    );
  };

  test('[SQ-37] its tables are listed, read at their newest snapshot, and at an older one', async () => {
    const connection = await open();
    const sql = 'SELECT count(*) AS n FROM lake.ns.ev AS e';
    const [parsed] = readStatements(sql, DIALECTS.duckdb);
    if (parsed === undefined) throw new Error('no statement');
    const { statement } = parsed;
    const tables = [
      ...statement.tables,
      { parts: ['lake', 'ns', 'bare'], quoted: [false], start: 0, end: 0 },
    ];
    const count = async (snapshot: string) => {
      const stream = await connection.query({ statement, sql, binds: [] }, { signal: NEVER, snapshot });
      return collectBatches(stream);
    };
    const first = (await connection.takeSnapshot?.(NEVER, tables)) ?? '';
    expect(JSON.parse(first)).toEqual({ 'ns.bare': null, 'ns.ev': expect.stringMatching(/^\d+$/) });
    expect(await count(first)).toEqual([[2n]]);
    await owner.run('INSERT INTO lake.ns.ev VALUES (3, 3.5)');
    // An open connection keeps its view of the table; another run sees the new rows.
    const later = await open();
    const second = (await later.takeSnapshot?.(NEVER, tables)) ?? '';
    expect(second).not.toBe(first);
    const again = await later.query({ statement, sql, binds: [] }, { signal: NEVER, snapshot: second });
    expect(await collectBatches(again)).toEqual([[3n]]);
    const before = await later.query({ statement, sql, binds: [] }, { signal: NEVER, snapshot: first });
    expect(await collectBatches(before)).toEqual([[2n]]);
    const listedTables = (await later.schema(NEVER)).map(({ catalog: of, schema, name }) => [
      of,
      schema,
      name,
    ]);
    expect(listedTables).toEqual([
      ['lake', 'ns', 'bare'],
      ['lake', 'ns', 'ev'],
    ]);
    await connection.close();
    await later.close();
  });

  test('[SQ-37] a table that was rolled back is read at its current snapshot, not at its newest', async () => {
    await owner.run('CREATE TABLE lake.ns.back (id BIGINT)');
    await owner.run('INSERT INTO lake.ns.back VALUES (1)');
    const [table] = readStatements('SELECT * FROM lake.ns.back', DIALECTS.duckdb)[0]?.statement.tables ?? [];
    if (table === undefined) throw new Error('no table');
    const snapshot = async () => {
      const connection = await open();
      const pins = await connection.takeSnapshot?.(NEVER, [table]);
      await connection.close();
      return pins;
    };
    const first = await snapshot();
    await owner.run('INSERT INTO lake.ns.back VALUES (2)');
    const second = await snapshot();
    expect(second).not.toBe(first);
    catalog.rollBack('back');
    expect(await snapshot()).toBe(first);
    catalog.drop('back');
  });

  test('[SQ-37] an error has its position in the text as written, a change is refused', async () => {
    const connection = await open();
    const sql = 'SELECT id, oops FROM lake.ns.ev WHERE id = 1';
    const [parsed] = readStatements(sql, DIALECTS.duckdb);
    if (parsed === undefined) throw new Error('no statement');
    const snapshot = (await connection.takeSnapshot?.(NEVER, parsed.statement.tables)) ?? '';
    const failingQuery = connection.query(
      { statement: parsed.statement, sql, binds: [] },
      { signal: NEVER, snapshot },
    );
    await expect(failingQuery).rejects.toMatchObject({ position: sql.indexOf('oops') });
    await expect(ask(connection, 'DELETE FROM lake.ns.ev')).rejects.toThrow(SqlError);
    await connection.close();
  });

  test('[SQ-37] a client logs in; a wrong token is refused with a message that does not contain it', async () => {
    const connection = await open({
      credential: catalog.client,
      'oauth2-server-uri': `${catalog.url}/v1/oauth/tokens`,
    });
    expect((await connection.schema(NEVER)).length).toBe(2);
    await connection.close();
    const refusal = await open({ token: 'a-wrong-token' }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(SqlError);
    expect(String(refusal)).not.toContain('a-wrong-token');
  });
});

function settings(uri: string, folder: NotebookFolder, more: Record<string, unknown> = {}): ConnectSettings {
  return {
    name: 'db',
    driver: 'duckdb',
    keys: { catalog: 'lake' },
    auth: {},
    options: {},
    notebookDir: folder,
    mounts: {},
    catalog: { name: 'lake', properties: { uri, warehouse: 'wh', ...more } },
  };
}
