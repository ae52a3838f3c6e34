/**
 * The BigQuery driver against a fake of its API: types, parameters, errors, cancelling, writes, freshness, snapshots.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { BindValue } from '../bindValue.ts';
import type { ColumnType } from '../columnType.ts';
import type { Access, ConnectSettings, SqlConnection } from '../driver.ts';
import type { SqlError } from '../sqlError.ts';
import type { Statement } from '../statement.ts';
import { type BigQueryServer, type Script, startBigQuery } from '../testing/bigqueryServer.ts';
import { boundSql, collect, tableNamed } from '../testing/bound.ts';
import { ask, expectCancelled, expectNothingInjected, NEVER, sqlErrorOf, until } from '../testing/helpers.ts';
import { bigquery } from './driver.ts';
import type { SchemaField } from './types.ts';

const folder = notebookFolder(mkdtempSync(join(tmpdir(), 'cellar-bq-')));
const MOMENT = '2024-02-29T13:05:09.000120Z';

/** Each field with a value as in the API, its column type and its value in a row. */
const TYPES: readonly (readonly [
  field: Omit<SchemaField, 'name'>,
  api: unknown,
  type: ColumnType,
  value: unknown,
])[] = [
  [{ type: 'STRING' }, "a 'ü' 🐘", { kind: 'text' }, "a 'ü' 🐘"],
  [{ type: 'STRING' }, '', { kind: 'text' }, ''],
  [{ type: 'BYTES' }, 'AP8Q', { kind: 'bytes' }, Buffer.from([0, 255, 16])],
  [{ type: 'INTEGER' }, '-9223372036854775808', int64(), -9_223_372_036_854_775_808n],
  [{ type: 'FLOAT' }, '1.5', { kind: 'float', bits: 64 }, 1.5],
  [{ type: 'FLOAT' }, 'NaN', { kind: 'float', bits: 64 }, Number.NaN],
  [{ type: 'FLOAT' }, '-Infinity', { kind: 'float', bits: 64 }, Number.NEGATIVE_INFINITY],
  [{ type: 'BOOLEAN' }, 'true', { kind: 'bool' }, true],
  [{ type: 'NUMERIC' }, '-12.34', { kind: 'decimal', precision: 38, scale: 9 }, '-12.34'],
  [
    { type: 'NUMERIC', precision: '10', scale: '2' },
    '12.34',
    { kind: 'decimal', precision: 10, scale: 2 },
    '12.34',
  ],
  [{ type: 'NUMERIC', precision: '5' }, '12345', { kind: 'decimal', precision: 5, scale: 0 }, '12345'],
  [
    { type: 'BIGNUMERIC' },
    `${'9'.repeat(38)}.5`,
    { kind: 'decimal', precision: 76, scale: 38 },
    `${'9'.repeat(38)}.5`,
  ],
  [{ type: 'DATE' }, '2024-02-29', { kind: 'date' }, 19_782],
  [{ type: 'DATE' }, '0001-01-01', { kind: 'date' }, -719_162],
  [{ type: 'TIME' }, '13:05:09.000120', { kind: 'time' }, 47_109_000_120n],
  [{ type: 'TIME' }, '00:00:00', { kind: 'time' }, 0n],
  [{ type: 'DATETIME' }, '2024-02-29T13:05:09.000001', timestamp(null), 1_709_211_909_000_001n],
  [{ type: 'DATETIME' }, '1969-12-31T23:59:59.5', timestamp(null), -500_000n],
  [{ type: 'TIMESTAMP' }, '1709192109000000', timestamp('UTC'), 1_709_192_109_000_000n],
  [{ type: 'JSON' }, '{"a":[1,null]}', { kind: 'text' }, '{"a":[1,null]}'],
  [{ type: 'GEOGRAPHY' }, 'POINT(1 2)', { kind: 'text' }, 'POINT(1 2)'],
  [{ type: 'INTERVAL' }, '1-2 3 4:5:6', { kind: 'text' }, '1-2 3 4:5:6'],
  [{ type: 'RANGE' }, '[2024-01-01, UNBOUNDED)', { kind: 'text' }, '[2024-01-01, UNBOUNDED)'],
  [
    { type: 'INTEGER', mode: 'REPEATED' },
    [{ v: '1' }, { v: '2' }],
    { kind: 'list', item: int64() },
    [1n, 2n],
  ],
  [{ type: 'STRING', mode: 'REPEATED' }, [], { kind: 'list', item: { kind: 'text' } }, []],
  [
    {
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [
        { name: 'n', type: 'INTEGER' },
        { name: 'at', type: 'TIMESTAMP' },
        { name: 'tags', type: 'STRING', mode: 'REPEATED' },
      ],
    },
    [{ v: { f: [{ v: '1' }, { v: null }, { v: [{ v: 'x' }] }] } }],
    {
      kind: 'list',
      item: {
        kind: 'struct',
        fields: [
          { name: 'n', type: int64() },
          { name: 'at', type: timestamp('UTC') },
          { name: 'tags', type: { kind: 'list', item: { kind: 'text' } } },
        ],
      },
    },
    [[1n, null, ['x']]],
  ],
];

const script: Script = ({ query }) => {
  const text = query.query;
  if (text === 'types') {
    const fields = TYPES.map(([field], at) => ({ name: `c${at}`, ...field }));
    const row = (value: (at: number) => unknown) => ({ f: TYPES.map((_type, at) => ({ v: value(at) })) });
    const missing = (at: number) => (TYPES[at]?.[0].mode === 'REPEATED' ? [] : null);
    return { fields, rows: [row((at) => TYPES[at]?.[1]), row(missing)] };
  }
  if (text.startsWith('SELECT FORMAT_TIMESTAMP'))
    return { fields: [{ name: 'now', type: 'STRING' }], rows: [{ f: [{ v: MOMENT }] }] };
  if (text === 'empty') return { fields: [{ name: 'a', type: 'INTEGER' }], rows: [] };
  if (text === 'too wide')
    return { fields: [{ name: 'x', type: 'BIGNUMERIC' }], rows: [{ f: [{ v: '9'.repeat(77) }] }] };
  if (text === 'long')
    return {
      fields: [{ name: 'n', type: 'INTEGER' }],
      rows: Array.from({ length: 7 }, (_none, n) => ({ f: [{ v: String(n) }] })),
    };
  if (text === 'forever') return { running: true };
  if (text === 'late')
    return { error: { reason: 'invalidQuery', message: 'Division by zero: 1 / 0' }, late: true };
  if (text.includes('nme'))
    return {
      error: {
        reason: 'invalidQuery',
        message: `Unrecognized name: nme at [${text.split('\n').length}:${(text.split('\n').at(-1) ?? '').replace('\t', ' '.repeat(8)).indexOf('nme') + 1}]`,
      },
    };
  if (/^(INSERT|UPDATE|DELETE)/.test(text)) return { affected: text.length };
  if (/^(BEGIN|COMMIT|ROLLBACK|CALL|CREATE|SELECT)/.test(text)) return {};
  return null;
};

let server: BigQueryServer;

beforeAll(async () => {
  server = await startBigQuery(script);
  writeFileSync(join(folder, 'key.json'), JSON.stringify(server.key));
  writeFileSync(
    join(folder, 'writer.json'),
    JSON.stringify({ ...server.key, client_email: 'writer@example.org' }),
  );
  writeFileSync(join(folder, 'broken.json'), '{"private_key": "-----secret');
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

test('[SW-11] every type of BigQuery has a column type, nested ones and NULL included', async () => {
  const { columns, rows } = await ask(await open(), 'types');
  expect(columns).toEqual(TYPES.map(([, , type], at) => ({ name: `c${at}`, type })));
  expect(rows[0]).toEqual(TYPES.map(([, , , value]) => value));
  expect(rows[1]).toEqual(TYPES.map(([{ mode }]) => (mode === 'REPEATED' ? [] : null)));
  expect(await ask(await open(), 'empty')).toEqual({ columns: [{ name: 'a', type: int64() }], rows: [] });
  await expect(ask(await open(), 'too wide')).rejects.toThrow(
    /"x" holds a number of more than 76 digits; cast it/,
  );
});

const BINDS: readonly (readonly [bind: BindValue, type: string, value: string | null])[] = [
  [{ type: 'null', value: null }, 'STRING', null],
  [{ type: 'bool', value: true }, 'BOOL', 'true'],
  [{ type: 'int', value: 2n ** 63n - 1n }, 'INT64', '9223372036854775807'],
  [{ type: 'int', value: 2n ** 70n }, 'NUMERIC', '1180591620717411303424'],
  [{ type: 'float', value: 2 }, 'FLOAT64', '2'],
  [{ type: 'float', value: Number.NaN }, 'FLOAT64', 'NaN'],
  [{ type: 'text', value: "'; DROP TABLE ev; --" }, 'STRING', "'; DROP TABLE ev; --"],
  [{ type: 'bytes', value: new Uint8Array([0, 255]) }, 'BYTES', 'AP8='],
  [{ type: 'decimal', value: '-12.3400' }, 'NUMERIC', '-12.3400'],
  [{ type: 'decimal', value: '0.1234567890' }, 'BIGNUMERIC', '0.1234567890'],
  [
    { type: 'uuid', value: '2f4b3c1d-0000-4000-8000-000000000001' },
    'STRING',
    '2f4b3c1d-0000-4000-8000-000000000001',
  ],
  [{ type: 'timestamp', value: '2024-02-29T13:05:09' }, 'DATETIME', '2024-02-29T13:05:09'],
  [{ type: 'timestamp', value: '2024-02-29T13:05:09+05:30' }, 'TIMESTAMP', '2024-02-29T13:05:09+05:30'],
  [{ type: 'date', value: '2024-02-29' }, 'DATE', '2024-02-29'],
  [{ type: 'time', value: '13:05:09.000120' }, 'TIME', '13:05:09.000120'],
];

test('[SW-12] each value is a parameter of its type; the text is sent unchanged', async () => {
  const connection = await open();
  const sql = BINDS.reduce((text) => `${text} ?`, 'SELECT');
  await collect(
    await connection.query(
      boundSql(
        sql,
        BINDS.map(([bind]) => bind),
      ),
      { signal: NEVER, snapshot: null },
    ),
  );
  expect(server.jobs.at(-1)?.query).toEqual({
    query: sql,
    useLegacySql: false,
    parameterMode: 'POSITIONAL',
    defaultDataset: { projectId: 'test-project', datasetId: 'sales' },
    queryParameters: BINDS.map(([, type, value]) => ({ parameterType: { type }, parameterValue: { value } })),
  });
});

test('[SW-12] no part of a value becomes part of a statement, for any type', async () => {
  const connection = await open();
  await expectNothingInjected(connection, () => server.jobs.map(({ query }) => query.query));
  await connection.close();
});

test('[SW-13] a result is fetched page by page, only as far as it is read', async () => {
  const connection = await open();
  expect((await ask(connection, 'long')).rows).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n].map((n) => [n]));
  const { batches } = await connection.query(boundSql('long'), { signal: NEVER, snapshot: null });
  for await (const batch of batches) {
    expect(batch).toEqual([[0n], [1n]]);
    break;
  }
});

test("[SW-14] errors have the service's message, reason and position in the text, even if they occur late", async () => {
  const sql = "SELECT '🐘',\n\tnme";
  const error = await sqlErrorOf(ask(await open(), sql));
  expect(facts(error)).toEqual({
    message: 'Unrecognized name: nme',
    code: 'invalidQuery',
    position: sql.indexOf('nme'),
    statement: null,
  });
  const lateError = await sqlErrorOf(ask(await open(), 'late'));
  expect(facts(lateError)).toEqual({
    message: 'Division by zero: 1 / 0',
    code: 'invalidQuery',
    position: null,
    statement: null,
  });
});

test('[SW-15] a cancelled query is cancelled at the service, without waiting for its answer', async () => {
  const connection = await open();
  await expectCancelled(connection, server);
  await connection.close();
});

test('[SW-16] data is changed in one transaction of a session; other statements run one by one, and a failure states which have run', async () => {
  const connection = await open('write');
  const write = (sqls: readonly string[]) =>
    connection.write(
      sqls.map((sql) => boundSql(sql)),
      { signal: NEVER },
    );
  const texts = () => server.jobs.map(({ query }) => query.query);
  server.jobs.length = 0;
  expect(await write(['INSERT 1', 'DELETE 22'])).toEqual([{ rowsAffected: 8n }, { rowsAffected: 9n }]);
  await until(() => texts().length === 5);
  expect(texts()).toEqual([
    'BEGIN TRANSACTION',
    'INSERT 1',
    'DELETE 22',
    'COMMIT TRANSACTION',
    'CALL BQ.ABORT_SESSION()',
  ]);
  expect(server.jobs.slice(1).map(({ query }) => query['connectionProperties'])).toEqual(
    server.jobs.slice(1).map(() => [{ key: 'session_id', value: expect.stringMatching(/^session-/) }]),
  );

  server.jobs.length = 0;
  const failure = await sqlErrorOf(write(['INSERT 1', 'DELETE nme']));
  await until(() => texts().length === 5);
  expect(failure?.statement).toBe(1);
  expect(texts()).toEqual([
    'BEGIN TRANSACTION',
    'INSERT 1',
    'DELETE nme',
    'ROLLBACK TRANSACTION',
    'CALL BQ.ABORT_SESSION()',
  ]);

  server.jobs.length = 0;
  expect(await write(['CREATE TABLE t', 'INSERT 1'])).toEqual([{ rowsAffected: null }, { rowsAffected: 8n }]);
  expect(texts()).toEqual(['CREATE TABLE t', 'INSERT 1']);
  const partialFailure = await sqlErrorOf(write(['CREATE TABLE t', 'INSERT nme']));
  expect([partialFailure?.statement, partialFailure?.message]).toEqual([
    1,
    expect.stringMatching(
      /\(earlier statements were not rolled back: BigQuery does not support transactions for such statements\)/,
    ),
  ]);
});

test('[SW-17] tokens are the last changes of tables; views include the tables they read; files have no token', async () => {
  const connection = await open();
  server.tables.clear();
  server.tables.set('test-project.sales.ev', {
    lastModifiedTime: '1000',
    schema: { fields: [{ name: 'id', type: 'INTEGER', mode: 'REQUIRED' }] },
  });
  server.tables.set('test-project.sales.v', {
    type: 'VIEW',
    lastModifiedTime: '5',
    reads: ['test-project.sales.ev'],
  });
  server.tables.set('other-project.a.b', { lastModifiedTime: '7' });
  server.tables.set('test-project.sales.files', { type: 'EXTERNAL' });
  server.tables.set('test-project.sales.live', { streamingBuffer: { estimatedRows: '1' } });
  const token = (name: string) => connection.freshness([tableNamed(name)], NEVER);
  const ev = '["test-project.sales.ev","TABLE","1000"]';
  const TOKENS: readonly (readonly [name: string, tokens: readonly string[] | null])[] = [
    ['ev', [ev]],
    ['sales.ev', [ev]],
    ['test-project.sales.ev', [ev]],
    ['other-project.a.b', ['["other-project.a.b","TABLE","7"]']],
    ['v', [ev, '["test-project.sales.v","VIEW","5"]']],
    ['nowhere', ['["test-project.sales.nowhere","absent"]']],
    ['files', null],
    ['live', null],
    ['events_*', null],
    ['sales.INFORMATION_SCHEMA.TABLES', null],
  ];
  for (const [name, tokens] of TOKENS) expect([name, await token(name)]).toEqual([name, tokens]);
  const ROUTINES = { 'sales.total': null, '`my-project.sales.total`': null, sum: [ev], 'SAFE.SUBSTR': [ev] };
  for (const [name, tokens] of Object.entries(ROUTINES)) {
    const calls = [{ parts: name.replaceAll('`', '').split('.'), quoted: [false] }];
    expect([name, await connection.freshness([tableNamed('ev')], NEVER, calls)]).toEqual([name, tokens]);
  }
  expect(await connection.schemaFingerprint([tableNamed('ev')], NEVER)).toEqual([
    JSON.stringify([
      'test-project.sales.ev',
      [JSON.stringify(['id', 'INTEGER', 'REQUIRED', null, null, []])],
    ]),
  ]);
});

test('[SW-18] the schema lists tables with their column types as in a declaration', async () => {
  server.tables.clear();
  const fields = [
    { name: 'id', type: 'INTEGER', mode: 'REQUIRED' },
    { name: 'items', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'n', type: 'INTEGER' }] },
  ];
  server.tables.set('test-project.sales.ev', { schema: { fields } });
  server.tables.set('test-project.more.x', {});
  const ev = {
    catalog: 'test-project',
    schema: 'sales',
    name: 'ev',
    columns: [
      { name: 'id', type: 'INTEGER', nullable: false },
      { name: 'items', type: 'ARRAY<STRUCT<n INTEGER>>', nullable: true },
    ],
  };
  expect(await (await open()).schema(NEVER)).toEqual([ev]);
  const all = await bigquery.connect(settings({ dataset_id: undefined }), { access: 'read', signal: NEVER });
  expect(await all.schema(NEVER)).toEqual([
    ev,
    { catalog: 'test-project', schema: 'more', name: 'x', columns: [] },
  ]);
});

const AT = ` FOR SYSTEM_TIME AS OF TIMESTAMP '${MOMENT}'`;
const MOMENTS: readonly (readonly [text: string, tables: readonly string[], sent: string])[] = [
  ['SELECT * FROM ev', ['ev'], `SELECT * FROM ev${AT}`],
  [
    'SELECT * FROM ev e JOIN `a.b` AS b ON e.x = b.x',
    ['ev', '`a.b`'],
    `SELECT * FROM ev e${AT} JOIN \`a.b\` AS b${AT} ON e.x = b.x`,
  ],
  ['SELECT * FROM ev WHERE nme > 1', ['ev'], `SELECT * FROM ev${AT} WHERE nme > 1`],
  [
    'SELECT * FROM ev LEFT JOIN x USING (id)',
    ['ev', 'x'],
    `SELECT * FROM ev${AT} LEFT JOIN x${AT} USING (id)`,
  ],
  ['SELECT * FROM ev -- all\n AS e, x `y`', ['ev', 'x'], `SELECT * FROM ev -- all\n AS e${AT}, x \`y\`${AT}`],
  ['SELECT (SELECT 1 FROM ev) FROM x', ['ev', 'x'], `SELECT (SELECT 1 FROM ev${AT}) FROM x${AT}`],
];

test("[SW-19] a snapshot is a time of the service's clock; every table is read at it, and error positions match the text", async () => {
  const connection = await open();
  expect(await connection.takeSnapshot?.(NEVER)).toBe(MOMENT);
  for (const [text, names, sent] of MOMENTS) {
    const tables = names.map((name) => ({ parts: [name], quoted: [false], ...placeIn(text, name) }));
    const error = await sqlErrorOf(
      connection.query(boundSql(text, [], { tables }), { signal: NEVER, snapshot: MOMENT }),
    );
    expect(server.jobs.at(-1)?.query.query).toBe(sent);
    if (text.includes('nme')) expect(error?.position).toBe(text.indexOf('nme'));
  }
  const hostile = connection.query(boundSql('SELECT 1'), {
    signal: NEVER,
    snapshot: "x'; DROP TABLE ev; --",
  });
  await expect(hostile).rejects.toThrow(/" is not a valid snapshot time\./);
});

test('[SW-20] the identity is project, dataset and account; invalid settings give a message without secrets', async () => {
  const account = server.key['client_email'];
  const IDENTITIES: readonly (readonly [
    settings: ConnectSettings,
    access: Access,
    principal: string | undefined,
  ])[] = [
    [settings(), 'read', account],
    [settings({ write_credentials_path: 'writer.json' }), 'write', 'writer@example.org'],
    [settings({ write_credentials_path: 'writer.json' }), 'read', account],
    [settings({ credentials_path: undefined }), 'read', 'ambient'],
    [
      { ...settings({ credentials_path: undefined }), auth: { credentials_path: 'key.json' } },
      'read',
      account,
    ],
    [
      {
        ...settings({ credentials_path: undefined }),
        auth: { credentials_json: JSON.stringify(server.key) },
      },
      'read',
      'auth',
    ],
  ];
  for (const [connection, access, principal] of IDENTITIES) {
    expect(bigquery.identity({ ...connection, options: {} }, access)).toEqual({
      project_id: 'test-project',
      dataset_id: 'sales',
      principal,
    });
  }
  const REFUSED: readonly (readonly [settings: ConnectSettings, words: RegExp])[] = [
    [settings({ project_id: undefined, credentials_path: undefined }), /"bq" needs project_id\./],
    [settings({ credentials_path: 'gone.json' }), /credentials_path that cannot be read/],
    [settings({ credentials_path: 'broken.json' }), /credentials_path that is not a JSON key/],
    [settings({ dataset_id: 7 }), /dataset_id that is not text/],
    [{ ...settings(), options: { maximum_bytes_billed: 'x' } }, /maximum_bytes_billed/],
    [
      confined(settings({ credentials_path: undefined })),
      /needs credentials_path, because a shared server does not share its own credentials\./,
    ],
    [confined(settings({ credentials_path: '../key.json' })), /outside the notebook folder/],
  ];
  for (const [invalid, words] of REFUSED) {
    const error = await sqlErrorOf(bigquery.connect(invalid, { access: 'read', signal: NEVER }));
    expect(error?.message).toMatch(words);
    expect(error?.message).not.toMatch(/secret|PRIVATE/);
  }
  const elsewhere = { ...server.key, type: 'external_account', credential_source: { file: '/etc/passwd' } };
  const foreign = {
    ...settings({ credentials_path: undefined }),
    auth: { credentials_json: JSON.stringify(elsewhere) },
  };
  expect((await sqlErrorOf(bigquery.connect(foreign, { access: 'read', signal: NEVER })))?.message).toMatch(
    /The key file is not of type service_account or authorized_user\. Set GOOGLE_APPLICATION_CREDENTIALS on the server to it, and remove credentials_path\./,
  );
  const otherAccount = { ...server.key, client_email: 'nobody@example.org' };
  const unknown = await bigquery.connect(
    {
      ...settings({ credentials_path: undefined }),
      auth: { credentials_json: JSON.stringify(otherAccount) },
    },
    { access: 'read', signal: NEVER },
  );
  await expect(ask(unknown, 'SELECT 1')).rejects.toThrow(/invalid authentication credentials/);
});

function settings(keys: Record<string, unknown> = {}): ConnectSettings {
  return {
    name: 'bq',
    driver: 'bigquery',
    keys: { project_id: 'test-project', dataset_id: 'sales', credentials_path: 'key.json', ...keys },
    auth: {},
    options: { api_endpoint: server.url },
    notebookDir: folder,
    mounts: {},
  };
}

function confined(base: ConnectSettings): ConnectSettings {
  return { ...base, confined: true };
}

function open(access: Access = 'read'): Promise<SqlConnection> {
  return bigquery.connect(settings(), { access, signal: NEVER });
}

function placeIn(text: string, name: string): Pick<Statement['tables'][number], 'start' | 'end'> {
  const start = text.search(new RegExp(`(?<=(FROM|JOIN|,) )${name}(?!\\w)`));
  return { start, end: start + name.length };
}

function facts(error: SqlError | null) {
  return {
    message: error?.message,
    code: error?.code,
    position: error?.position,
    statement: error?.statement,
  };
}

function int64(): ColumnType {
  return { kind: 'int', bits: 64, signed: true };
}

function timestamp(zone: string | null): ColumnType {
  return { kind: 'timestamp', unit: 'us', zone };
}
