/** The Snowflake driver with the vendor's client, against a fake service that the test starts. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { BindValue } from '../bindValue.ts';
import type { ColumnType } from '../columnType.ts';
import type { Access, ConnectSettings, SqlConnection } from '../driver.ts';
import { boundSql, collect, tableNamed } from '../testing/bound.ts';
import {
  ask,
  disposable,
  expectCancelled,
  expectNothingInjected,
  NEVER,
  sqlErrorOf,
} from '../testing/helpers.ts';
import {
  type RowType,
  type SnowflakeAnswer,
  type SnowflakeQuery,
  type SnowflakeServer,
  startSnowflake,
} from '../testing/snowflakeServer.ts';
import { snowflake } from './driver.ts';

const folder = notebookFolder(mkdtempSync(join(tmpdir(), 'cellar-sf-')));
const SNAPSHOT = '2024-02-29T13:05:09.000000120+00:00';
const INT64: ColumnType = { kind: 'int', bits: 64, signed: true };
const TEXT: ColumnType = { kind: 'text' };
const timestamp = (unit: 'us' | 'ns', zone: string | null): ColumnType => ({ kind: 'timestamp', unit, zone });

/** Each column type, with a value as Snowflake writes it, the resulting column type and the resulting value. */
const TYPES: readonly (readonly [
  column: Omit<RowType, 'name'>,
  raw: string,
  type: ColumnType,
  value: unknown,
])[] = [
  [{ type: 'fixed', precision: 38, scale: 0 }, '-9223372036854775808', INT64, -9_223_372_036_854_775_808n],
  [
    { type: 'fixed', precision: 38, scale: 0 },
    '9223372036854775808',
    { kind: 'decimal', precision: 38, scale: 0 },
    '9223372036854775808',
  ],
  [
    { type: 'fixed', precision: 10, scale: 2 },
    '-12.30',
    { kind: 'decimal', precision: 10, scale: 2 },
    '-12.30',
  ],
  [{ type: 'real' }, '1.5', { kind: 'float', bits: 64 }, 1.5],
  [{ type: 'real' }, 'NaN', { kind: 'float', bits: 64 }, Number.NaN],
  [{ type: 'real' }, '-inf', { kind: 'float', bits: 64 }, Number.NEGATIVE_INFINITY],
  [{ type: 'text' }, "a 'ü' 🐘", TEXT, "a 'ü' 🐘"],
  [{ type: 'text' }, '', TEXT, ''],
  [{ type: 'text' }, 'NULL', TEXT, 'NULL'],
  [{ type: 'boolean' }, '1', { kind: 'bool' }, true],
  [{ type: 'boolean' }, '0', { kind: 'bool' }, false],
  [{ type: 'binary' }, '00FF10', { kind: 'bytes' }, Buffer.from([0, 255, 16])],
  [{ type: 'date' }, '19782', { kind: 'date' }, 19_782],
  [{ type: 'date' }, '-719162', { kind: 'date' }, -719_162],
  [{ type: 'time', scale: 9 }, '47109.000120000', { kind: 'time' }, 47_109_000_120n],
  [
    { type: 'timestamp_ntz', scale: 9 },
    '1709211909.000001000',
    timestamp('us', null),
    1_709_211_909_000_001n,
  ],
  [
    { type: 'timestamp_ntz', scale: 9 },
    '253402300799.000000000',
    timestamp('us', null),
    253_402_300_799_000_000n,
  ],
  [
    { type: 'timestamp_ntz', scale: 9 },
    '1709211909.000000001',
    timestamp('ns', null),
    1_709_211_909_000_000_001n,
  ],
  [{ type: 'timestamp_ntz', scale: 3 }, '-0.500', timestamp('us', null), -500_000n],
  [{ type: 'timestamp_ltz', scale: 3 }, '1709192109.000', timestamp('us', 'UTC'), 1_709_192_109_000_000n],
  [{ type: 'timestamp_tz', scale: 3 }, '1709192109.000 1770', timestamp('us', 'UTC'), 1_709_192_109_000_000n],
  [{ type: 'variant' }, '{"a":[1,undefined]}', TEXT, '{"a":[1,undefined]}'],
  [{ type: 'object' }, '{"a":1}', TEXT, '{"a":1}'],
  [{ type: 'array' }, '[1,2]', TEXT, '[1,2]'],
  [{ type: 'geography' }, '{"type":"Point"}', TEXT, '{"type":"Point"}'],
];

const one = (type: string, rows: readonly (readonly string[])[], more: object = {}): SnowflakeAnswer => ({
  columns: [{ name: 'X', type, precision: 38, scale: 0 }],
  rows,
  ...more,
});
const LONG = Array.from({ length: 8_001 }, (_none, n) => [String(n)]);
let catalog: readonly (readonly (string | null)[])[] = [];

function script({ sqlText }: SnowflakeQuery): SnowflakeAnswer | null {
  if (sqlText === 'types') {
    const columns = TYPES.map(([column], at) => ({ name: `C${at}`, ...column }));
    return { columns, rows: [TYPES.map(([, raw]) => raw), TYPES.map(() => null)] };
  }
  if (sqlText === 'empty') return one('fixed', []);
  if (sqlText === 'long') return one('fixed', LONG, { chunkRows: 2_000 });
  if (sqlText === 'late') return one('fixed', [['7']], { later: true });
  if (sqlText === 'late integer') return one('fixed', [...LONG, ['9'.repeat(30)]], { chunkRows: 5_000 });
  if (sqlText === 'nanos')
    return { columns: [{ name: 'T', type: 'time', scale: 9 }], rows: [['1.000000001']] };
  if (sqlText === 'forever') return { running: true };
  if (sqlText.startsWith('SELECT TO_VARCHAR(CONVERT_TIMEZONE')) return one('text', [[SNAPSHOT]]);
  if (sqlText.includes('INFORMATION_SCHEMA')) {
    return {
      columns: Array.from({ length: 10 }, (_none, at) => ({ name: `C${at}`, type: 'text' })),
      rows: catalog,
    };
  }
  if (sqlText.includes('nme')) {
    const lines = sqlText.slice(0, sqlText.indexOf('nme')).split('\n');
    const place = { line: lines.length, pos: [...(lines.at(-1) ?? '')].length };
    return {
      error: {
        code: '000904',
        message: `SQL compilation error: error line ${place.line} at position ${place.pos}\ninvalid identifier 'NME'`,
        ...place,
      },
    };
  }
  if (sqlText.startsWith('INSERT')) return one('fixed', [['3']], { kind: 0x31_00 });
  if (sqlText.startsWith('UPDATE')) return one('fixed', [['2']], { kind: 0x32_00 });
  if (/^(BEGIN|COMMIT|ROLLBACK|CREATE|SELECT|VALUES)/.test(sqlText)) return one('text', [['done']]);
  return null;
}

let server: SnowflakeServer;

beforeAll(async () => {
  server = await startSnowflake(script);
  writeFileSync(join(folder, 'key.p8'), server.privateKey);
}, 60_000);

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

test('[SW-21] reads every type of Snowflake without losing a digit, and NULL', async () => {
  await using connection = await open();
  const { columns, rows } = await ask(connection, 'types');
  expect(columns).toEqual(TYPES.map(([, , type], at) => ({ name: `C${at}`, type })));
  expect(rows).toEqual([TYPES.map(([, , , value]) => value), TYPES.map(() => null)]);
  expect(await ask(connection, 'empty')).toEqual({ columns: [{ name: 'X', type: INT64 }], rows: [] });
  await expect(ask(connection, 'nanos')).rejects.toThrow(
    /"T" holds a time of nanoseconds; cast it: x::TIME\(6\)/,
  );
  await expect(ask(connection, 'late integer')).rejects.toThrow(
    /"X" holds a number of more than 64 bits; cast it/,
  );
});

const BINDS: readonly (readonly [bind: BindValue, slot: string, type: string, value: string | null])[] = [
  [{ type: 'null', value: null }, '?', 'TEXT', null],
  [{ type: 'bool', value: true }, '?', 'BOOLEAN', 'true'],
  [{ type: 'int', value: -7n }, '?', 'FIXED', '-7'],
  [{ type: 'int', value: 2n ** 63n - 1n }, '?::NUMBER(38,0)', 'TEXT', '9223372036854775807'],
  [{ type: 'float', value: 2 }, '?::FLOAT', 'TEXT', '2'],
  [{ type: 'float', value: Number.NaN }, '?::FLOAT', 'TEXT', 'NaN'],
  [{ type: 'float', value: Number.NEGATIVE_INFINITY }, '?::FLOAT', 'TEXT', '-inf'],
  [{ type: 'text', value: "'; DROP TABLE ev; --" }, '?', 'TEXT', "'; DROP TABLE ev; --"],
  [{ type: 'bytes', value: new Uint8Array([0, 255]) }, "TO_BINARY(?, 'HEX')", 'TEXT', '00ff'],
  [{ type: 'decimal', value: '-12.3400' }, '?::NUMBER(38,4)', 'TEXT', '-12.3400'],
  [
    { type: 'uuid', value: '2f4b3c1d-0000-4000-8000-000000000001' },
    '?',
    'TEXT',
    '2f4b3c1d-0000-4000-8000-000000000001',
  ],
  [{ type: 'date', value: '2024-02-29' }, '?::DATE', 'TEXT', '2024-02-29'],
  [{ type: 'time', value: '13:05:09.000120' }, '?::TIME(9)', 'TEXT', '13:05:09.000120'],
  [{ type: 'timestamp', value: '2024-02-29T13:05:09' }, '?::TIMESTAMP_NTZ(9)', 'TEXT', '2024-02-29T13:05:09'],
  [
    { type: 'timestamp', value: '2024-02-29T13:05:09Z' },
    '?::TIMESTAMP_TZ(9)',
    'TEXT',
    '2024-02-29T13:05:09+00:00',
  ],
];

test('[SW-22] sends each kind of value as a bind; its slot has only the cast of its type', async () => {
  await using connection = await open();
  const selectOf = (slot: (at: number) => string) =>
    `SELECT ${BINDS.map((_bind, at) => slot(at)).join(', ')}`;
  const text = selectOf((at) => `:v${at}`);
  const placeholders = BINDS.map((_bind, at) => ({
    name: `v${at}`,
    start: text.search(new RegExp(`:v${at}\\b`)),
    end: text.search(new RegExp(`:v${at}\\b`)) + `:v${at}`.length,
  }));
  const bound = {
    ...boundSql(
      selectOf(() => '?'),
      BINDS.map(([bind]) => bind),
      { text, placeholders },
    ),
  };
  await collect(await connection.query(bound, { signal: NEVER, snapshot: null }));
  const sent = server.queries.at(-1);
  expect(sent?.sqlText).toBe(selectOf((at) => BINDS[at]?.[1] ?? ''));
  expect(sent?.bindings).toEqual(
    Object.fromEntries(BINDS.map(([, , type, value], at) => [String(at + 1), { type, value }])),
  );
});

test('[SW-22] no part of a value becomes part of a statement', async () => {
  const connection = await open();
  await expectNothingInjected(connection, () => server.queries.map(({ sqlText }) => sqlText));
  await connection.close();
});

test('[SW-23] reads a result in chunks, polls for a slow result, and continues with a renewed session', async () => {
  await using connection = await open();
  const { rows } = await ask(connection, 'long');
  expect(rows).toEqual(LONG.map(([n]) => [BigInt(n ?? 0)]));
  expect((await ask(connection, 'late')).rows).toEqual([[7n]]);
  server.expire = true;
  expect((await ask(connection, 'late')).rows).toEqual([[7n]]);
  const { batches } = await connection.query(boundSql('long'), { signal: NEVER, snapshot: null });
  for await (const batch of batches) {
    expect(batch).toHaveLength(4_096);
    break;
  }
});

test("[SW-24] errors have Snowflake's message and code, and the position in the driver's text", async () => {
  await using connection = await open();
  const text = "SELECT '🐘', :day,\n  nme";
  const start = text.indexOf(':day');
  const sql = text.replace(':day', '?');
  const bound = boundSql(sql, [{ type: 'date', value: '2024-02-29' }], {
    text,
    placeholders: [{ name: 'day', start, end: start + 4 }],
  });
  const error = await sqlErrorOf(connection.query(bound, { signal: NEVER, snapshot: null }));
  expect(error).toMatchObject({
    code: '000904',
    position: sql.indexOf('nme'),
    message: expect.stringMatching(/invalid identifier 'NME'/),
  });
  expect(await sqlErrorOf(ask(connection, 'nonsense'))).toMatchObject({ code: '001003', position: 0 });
});

test('[SW-25] cancels a query at the service, without waiting for the response', async () => {
  const connection = await open();
  await expectCancelled(connection, server);
  await connection.close();
});

test('[SW-26] writes in one transaction with write_role, and reports what cannot be rolled back', async () => {
  await using connection = await open('write', { write_role: 'WRITER' });
  expect(server.logins.at(-1)).toMatchObject({
    role: 'WRITER',
    warehouse: 'WH',
    database: 'DB',
    schema: 'PUBLIC',
  });
  const write = (...sqls: string[]) =>
    connection.write(
      sqls.map((sql) => boundSql(sql)),
      { signal: NEVER },
    );
  const texts = () => server.queries.map(({ sqlText }) => sqlText);
  server.queries.length = 0;
  expect(await write('INSERT 1', 'UPDATE 2', 'CREATE TABLE t')).toEqual([
    { rowsAffected: 3n },
    { rowsAffected: 2n },
    { rowsAffected: null },
  ]);
  expect(texts()).toEqual(['BEGIN', 'INSERT 1', 'UPDATE 2', 'CREATE TABLE t', 'COMMIT']);
  server.queries.length = 0;
  expect(await sqlErrorOf(write('INSERT 1', 'UPDATE nme'))).toMatchObject({
    statement: 1,
    message: expect.not.stringMatching(/not rolled back/),
  });
  expect(texts()).toEqual(['BEGIN', 'INSERT 1', 'UPDATE nme', 'ROLLBACK']);
  expect(await sqlErrorOf(write('CREATE TABLE t', 'UPDATE nme'))).toMatchObject({
    statement: 1,
    message: expect.stringMatching(
      /\(earlier statements were not rolled back: Snowflake commits at statements like CREATE TABLE\)/,
    ),
  });
});

test('[SW-27] tokens have the time of the last change of a table; names are looked up as Snowflake reads them', async () => {
  await using connection = await open();
  const NAMES: readonly (readonly [
    name: string,
    quoted: boolean,
    from: string,
    binds: readonly (string | null)[],
  ])[] = [
    ['ev', false, '"DB".INFORMATION_SCHEMA.TABLES', ['EV', 'PUBLIC', 'true']],
    ['s.ev', false, '"DB".INFORMATION_SCHEMA.TABLES', ['EV', 'S', 'false']],
    ['x.s.ev', false, '"X".INFORMATION_SCHEMA.TABLES', ['EV', 'S', 'false']],
    [
      'a"; DROP TABLE x; --.s.ev',
      true,
      '"a""; DROP TABLE x; --".INFORMATION_SCHEMA.TABLES',
      ['ev', 's', 'false'],
    ],
  ];
  catalog = [['DB', 'PUBLIC', 'EV', 'BASE TABLE', '2024-02-29 00:00:00.000000000']];
  for (const [name, quoted, from, binds] of NAMES) {
    const table = { ...tableNamed(name), quoted: tableNamed(name).parts.map(() => quoted) };
    expect(await connection.freshness([table], NEVER)).toEqual([
      JSON.stringify([...(catalog[0] ?? []), ...Array(5).fill(null)]),
    ]);
    const { sqlText, bindings } = server.queries.at(-1) ?? { sqlText: '' };
    expect(sqlText).toContain(` FROM ${from} WHERE `);
    expect(Object.values(bindings ?? {}).map(({ value }) => value)).toEqual(binds);
  }
  catalog = [];
  expect(await connection.freshness([tableNamed('gone')], NEVER)).toEqual([
    '["GONE","PUBLIC",true,"absent"]',
  ]);
  catalog = [['DB', 'PUBLIC', 'V', 'VIEW', '2024-02-29 00:00:00.000000000']];
  for (const name of ['v', 'a.b.c.d', 'information_schema.tables']) {
    expect([name, await connection.freshness([tableNamed(name)], NEVER)]).toEqual([name, null]);
  }
});

test('[SW-27] a function of a schema may read tables that the statement does not name', async () => {
  await using connection = await open();
  const ROUTINES: readonly (readonly [
    name: string,
    rows: typeof catalog,
    lookup: readonly string[] | null,
    isKnown: boolean,
  ])[] = [
    ['sum', [], ['SUM'], true],
    ['total', [['TOTAL']], ['TOTAL'], false],
    ['s.total', [], null, false],
    ['system$clustering_depth', [], null, false],
  ];
  for (const [name, rows, lookup, isKnown] of ROUTINES) {
    catalog = rows;
    const before = server.queries.length;
    expect([name, (await connection.freshness([], NEVER, [tableNamed(name)])) !== null]).toEqual([
      name,
      isKnown,
    ]);
    const [query] = server.queries.slice(before);
    expect(query?.sqlText ?? '').toMatch(
      lookup === null ? /^$/ : /FROM "DB"\.INFORMATION_SCHEMA\.FUNCTIONS WHERE/,
    );
    if (lookup !== null)
      expect(Object.values(query?.bindings ?? {}).map(({ value }) => value)).toEqual(lookup);
  }
});

test("[SW-28] the schema lists the database's tables and columns", async () => {
  await using connection = await open();
  catalog = [
    ['DB', 'PUBLIC', 'EV', 'ID', 'NUMBER', 'NO'],
    ['DB', 'PUBLIC', 'EV', 'V', 'FLOAT', 'YES'],
    ['DB', 'S', 'EV', 'X', 'TEXT', 'YES'],
  ];
  expect(await connection.schema(NEVER)).toEqual([
    {
      catalog: 'DB',
      schema: 'PUBLIC',
      name: 'EV',
      columns: [
        { name: 'ID', type: 'NUMBER', nullable: false },
        { name: 'V', type: 'FLOAT', nullable: true },
      ],
    },
    { catalog: 'DB', schema: 'S', name: 'EV', columns: [{ name: 'X', type: 'TEXT', nullable: true }] },
  ]);
  await using nowhere = await open('read', { database: undefined });
  await expect(nowhere.schema(NEVER)).rejects.toThrow(/"sf" needs database/);
});

test("[SW-29] a snapshot is the time of the service's clock, and every table is read at it", async () => {
  await using connection = await open();
  expect(await connection.takeSnapshot?.(NEVER)).toBe(SNAPSHOT);
  const text = 'SELECT * FROM ev e JOIN b USING (id)';
  const tables = ['ev', 'b'].map((name) => {
    const start = text.search(new RegExp(`\\b${name}\\b`));
    return { parts: [name], quoted: [false], start, end: start + name.length };
  });
  await collect(
    await connection.query(boundSql(text, [], { tables }), { signal: NEVER, snapshot: SNAPSHOT }),
  );
  const at = ` AT(TIMESTAMP => '${SNAPSHOT}'::TIMESTAMP_TZ)`;
  expect(server.queries.at(-1)?.sqlText).toBe(`SELECT * FROM ev${at} e JOIN b${at} USING (id)`);
  const hostile = connection.query(boundSql('SELECT 1'), {
    signal: NEVER,
    snapshot: "x'); DROP TABLE ev; --",
  });
  await expect(hostile).rejects.toThrow(/" is not a valid snapshot time\./);
});

test('[SW-30] the identity has no secrets; logs in by password and key pair; invalid settings have a message', async () => {
  const identity = {
    account: 'testaccount',
    user: 'tester',
    role: 'READER',
    warehouse: 'WH',
    database: 'DB',
    schema: 'PUBLIC',
  };
  const plain = { ...settings({ write_role: 'WRITER' }), options: {} };
  expect(snowflake.identity(plain, 'read')).toEqual(identity);
  expect(snowflake.identity(plain, 'write')).toEqual({ ...identity, role: 'WRITER' });
  const LOGINS: readonly ConnectSettings[] = [
    { ...settings(), auth: { private_key: server.privateKey } },
    { ...settings(), auth: { private_key: server.privateKey.replaceAll('\n', '\\n') } },
    { ...settings({ private_key_path: 'key.p8' }), auth: {} },
  ];
  for (const login of LOGINS) {
    const connection = await snowflake.connect(login, { access: 'read', signal: NEVER });
    expect(server.logins.at(-1)?.['authenticator']).toBe('SNOWFLAKE_JWT');
    await connection.close();
  }
  const INVALID: readonly (readonly [settings: ConnectSettings, message: RegExp])[] = [
    [settings({ account: undefined }), /"sf" needs account\./],
    [settings({ user: undefined }), /"sf" needs user\./],
    [{ ...settings(), auth: {} }, /needs password, private_key or token in auth\. Set it under Connections/],
    [{ ...settings(), auth: { password: 'secret' } }, /account testaccount: Incorrect username or password/],
    [{ ...settings({ private_key_path: 'gone.p8' }), auth: {} }, /private_key_path that cannot be read/],
    [
      { ...settings({ private_key_path: '../key.p8' }), auth: {}, confined: true },
      /outside the notebook folder/,
    ],
    [{ ...settings(), options: { access_url: 'ftp://x' } }, /access_url/],
  ];
  for (const [invalid, message] of INVALID) {
    const error = await sqlErrorOf(snowflake.connect(invalid, { access: 'read', signal: NEVER }));
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toMatch(/secret|PRIVATE/);
  }
});

test("[SW-31] the vendor's client writes no log and sends no telemetry, and its sessions are ended", async () => {
  const endedBefore = server.ended;
  const connection = await open();
  await ask(connection, 'types');
  await connection.close();
  await connection.close();
  expect({
    ended: server.ended - endedBefore,
    strays: server.strays,
    log: existsSync('snowflake.log'),
  }).toEqual({
    ended: 1,
    strays: [],
    log: false,
  });
});

function settings(keys: Record<string, unknown> = {}): ConnectSettings {
  return {
    name: 'sf',
    driver: 'snowflake',
    keys: {
      account: 'testaccount',
      user: 'tester',
      role: 'READER',
      warehouse: 'WH',
      database: 'DB',
      schema: 'PUBLIC',
      ...keys,
    },
    auth: { password: server.password },
    options: { access_url: server.url },
    notebookDir: folder,
    mounts: {},
  };
}

async function open(
  access: Access = 'read',
  keys: Record<string, unknown> = {},
): Promise<SqlConnection & AsyncDisposable> {
  return disposable(await snowflake.connect(settings(keys), { access, signal: NEVER }));
}
