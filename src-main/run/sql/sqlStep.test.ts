import { existsSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { ConnectSettings } from '../../sql/driver.ts';
import { type BigQueryServer, startBigQuery } from '../../sql/testing/bigqueryServer.ts';
import { type IcebergCatalog, startIcebergCatalog } from '../../sql/testing/icebergCatalog.ts';
import { type SnowflakeServer, startSnowflake } from '../../sql/testing/snowflakeServer.ts';
import type { StepOutcome } from '../step.ts';
import { createKnownConnections } from './knownConnections.ts';
import { openSqlWorld, type SqlRunHow, type SqlWorld } from './testing/testSqlWorld.ts';

/** Cache policies through a whole step: read, bound, keyed, queried, stored. The services are local fakes. */

let world: SqlWorld;
let snowflake: SnowflakeServer;
let bigquery: BigQueryServer;
/** The next times of the services' clocks. */
let clock = 0;
function nextMoment(): string {
  clock += 1;
  return `2024-02-29T13:05:0${clock % 10}.000`;
}

beforeAll(async () => {
  world = await openSqlWorld();
  snowflake = await startSnowflake(({ sqlText }) => {
    const rows = sqlText.startsWith('SELECT TO_VARCHAR(CONVERT_TIMEZONE')
      ? [[`${nextMoment()}000000+00:00`]]
      : [['7']];
    return { columns: [{ name: 'X', type: 'text' }], rows };
  });
  bigquery = await startBigQuery(({ query: { query } }) => {
    const v = query.startsWith('SELECT FORMAT_TIMESTAMP') ? `${nextMoment()}000Z` : '7';
    return { fields: [{ name: 'x', type: 'STRING' }], rows: [{ f: [{ v }] }] };
  });
  await writeFile(join(world.root, 'key.json'), JSON.stringify(bigquery.key));
});
afterAll(async () => {
  await world.close();
  await Promise.all([snowflake.stop(), bigquery.stop()]);
});

type Warehouse = 'snowflake' | 'bigquery';

function connectionOf(driver: Warehouse) {
  const block = { name: 'db', driver, auth: {}, options: {} };
  if (driver === 'bigquery') {
    const keys = { project_id: 'test-project', dataset_id: 'sales', credentials_path: 'key.json' };
    return { ...block, ...keys, options: { api_endpoint: bigquery.url } };
  }
  return {
    ...block,
    account: 'testaccount',
    user: snowflake.user,
    warehouse: 'WH',
    database: 'DB',
    schema: 'PUBLIC',
    auth: { password: snowflake.password },
    options: { access_url: snowflake.url },
  };
}

/** The queries that the service got, except those of its clock. */
function asked(driver: Warehouse): readonly string[] {
  const all =
    driver === 'snowflake'
      ? snowflake.queries.map(({ sqlText }) => sqlText)
      : bigquery.jobs.map(({ query }) => query.query);
  return all.filter((text) => text.includes('FROM ev'));
}

const SNAPSHOT = '# @sql connection=db\n# @cache snapshot\nSELECT x FROM ev WHERE id > :limit';

/** The runs of a cell in turn; each must complete. */
const RUNS: readonly (readonly [source: string, how?: SqlRunHow])[] = [
  [SNAPSHOT],
  [SNAPSHOT],
  // Another value queries again, at the old snapshot; the first one's answer is still stored.
  [SNAPSHOT, { limit: 2 }],
  [SNAPSHOT],
  [SNAPSHOT, { useCache: false }],
  [SNAPSHOT, { limit: 3 }],
  [SNAPSHOT.replace('x FROM', 'y FROM')],
];

describe.each<[Warehouse, RegExp]>([
  ['snowflake', /FROM ev AT\(TIMESTAMP => '([^']+)'::TIMESTAMP_TZ\) WHERE id > \?$/],
  ['bigquery', /FROM ev FOR SYSTEM_TIME AS OF TIMESTAMP '([^']+)' WHERE id > \?$/],
])('@cache snapshot on %s', (driver, expected) => {
  it('[SQ-36] reads every run at the moment of the first, until the cell changes or is run again', async () => {
    const run = world.cellOf(() => connectionOf(driver));
    const kinds: string[] = [];
    const moments: (string | null)[] = [];
    for (const [source, how] of RUNS) {
      const before = asked(driver).length;
      kinds.push(done(await run(source, how)).kind);
      const now = asked(driver);
      moments.push(now.length === before ? null : (expected.exec(now.at(-1) ?? '')?.[1] ?? null));
    }
    expect(kinds).toEqual(['ran', 'hit', 'ran', 'hit', 'ran', 'ran', 'ran']);
    const [first, , second, , rerun, third, changed] = moments;
    expect([second, third]).toEqual([first, rerun]);
    expect(new Set([first, rerun, changed]).size).toBe(3);
    expect(moments.filter((moment) => moment?.startsWith('2024-02-29T13:05:0') === true).length).toBe(5);
  });
});

const COUNTED = 'SELECT count(*) AS n FROM ev WHERE id > :limit';

/** Statements that create a file of events, and that add one event. */
const FILES: readonly (readonly [
  driver: 'sqlite' | 'duckdb',
  write: (path: string, sql: string) => Promise<void>,
])[] = [
  ['sqlite', async (path, sql) => void new Database(path).exec(sql).close()],
  [
    'duckdb',
    async (path, sql) => {
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      await connection.run(sql);
      connection.closeSync();
      instance.closeSync();
    },
  ],
];

describe.each(FILES)('a file of %s', (driver, write) => {
  it('[SQ-39] is not opened for a stored answer, unless something may have changed', async () => {
    const path = join(world.root, `known.${driver}`);
    await write(path, 'CREATE TABLE ev (id INTEGER); INSERT INTO ev VALUES (1), (2)');
    const run = world.cellOf(() => ({ name: 'db', driver, path, auth: {}, options: {} }));
    const source = `# @sql connection=db\n${COUNTED}`;
    const outcomes: string[] = [];
    const step = async (how?: SqlRunHow) => {
      const before = world.queryCount();
      const { kind } = done(await run(source, how));
      outcomes.push(`${kind} ${world.queryCount() - before}`);
    };
    world.stopClock(statSync(path).mtimeMs);
    await step();
    world.stopClock(statSync(path).mtimeMs + 1_000);
    await step();
    await step();
    await step({ limit: 2 });
    await step({ useCache: false });
    await write(path, 'INSERT INTO ev VALUES (3)');
    world.stopClock(statSync(path).mtimeMs + 1_000);
    await step();
    await step();
    expect(outcomes).toEqual(['ran 1', 'hit 1', 'hit 0', 'ran 1', 'ran 1', 'ran 1', 'hit 0']);
    await rm(path);
    const removed = await run(source);
    expect(removed.kind === 'failed' ? removed.error : removed.kind).toContain(
      'refers to a file that does not exist:',
    );
  });
});

describe('mounts of a duckdb connection', () => {
  const connection = (mounts: readonly string[]) => () => ({
    name: 'db',
    driver: 'duckdb' as const,
    mounts: [...mounts],
    auth: {},
    options: {},
  });
  const source = '# @sql connection=db\nSELECT count(*) AS n FROM m WHERE id > :limit';

  it('[SQ-39] [SQ-45] no database is opened for a stored answer while they are unchanged', async () => {
    const path = join(world.root, 'events');
    await mkdir(path);
    await writeFile(join(path, 'a.csv'), 'id\n1\n2\n3\n');
    const run = world.cellOf(connection(['m']));
    const outcomes: string[] = [];
    const step = async (token: string | null, how: SqlRunHow = {}) => {
      const before = world.queryCount();
      const outcome = done(await run(source, { ...how, mounts: { m: { path, token } } }));
      outcomes.push(`${outcome.kind} ${world.queryCount() - before}`);
    };
    await step('one');
    await step('one');
    await step('one', { limit: 2 });
    await step('two');
    await step('two');
    await step('one');
    await step('one', { useCache: false });
    // Data of unknown freshness never matches.
    await step(null);
    await step(null);
    expect(outcomes).toEqual([
      'ran 1',
      'hit 0',
      'ran 1',
      'ran 1',
      'hit 0',
      'hit 0',
      'ran 1',
      'ran 1',
      'ran 1',
    ]);
  });

  it.each([
    [
      'one the notebook does not have',
      ['m', 'gone'],
      'ro',
      'uses the mount "gone", which this notebook does not have',
    ],
    ['one that may be written to', ['m'], 'rw', 'The mount "m" is writable'],
  ] as const)('[SQ-45] %s is refused', async (_what, fields, mode, message) => {
    const outcome = await world.cellOf(connection(fields))(source, {
      mounts: { m: { path: world.root, token: 'one', mode } },
    });
    expect(outcome.kind === 'failed' ? outcome.error : outcome.kind).toContain(message);
  });
});

describe('connections without remembered facts', () => {
  const NOTHING_MOUNTED = { auth: {}, options: {}, mounts: {}, catalog: null };
  const ROWS: readonly (readonly [what: string, settings: Partial<ConnectSettings>, isKnown: boolean])[] = [
    ['a database in memory', { driver: 'duckdb', keys: {} }, true],
    ['mounts, which have their own marks', { driver: 'duckdb', keys: {}, mounts: { m: '/m' } }, true],
    ['a catalog', { driver: 'duckdb', keys: {}, catalog: { name: 'l', properties: {} } }, false],
    ['a file that does not exist', { driver: 'sqlite', keys: { path: 'gone.db' } }, false],
    ['a uri', { driver: 'sqlite', keys: { uri: 'file:x.db' } }, false],
    ['a database of a server', { driver: 'postgresql', keys: { host: 'h' } }, false],
  ];
  it.each(ROWS)('[SQ-39] %s', async (_what, more, isKnown) => {
    const connections = createKnownConnections();
    const settings = { name: 'db', notebookDir: world.root, ...NOTHING_MOUNTED, ...more } as ConnectSettings; // all fields that a connection has
    const question = { access: 'read', tables: [], mounts: ['m:/m:1'] } as const;
    const facts = { identity: {}, probe: { freshness: [], schema: [] } };
    (await connections.look(settings, question)).remember(facts);
    expect((await connections.look(settings, question)).facts).toEqual(isKnown ? facts : null);
    const changed = { ...question, mounts: ['m:/m:2'] };
    expect((await connections.look(settings, changed)).facts).toBeNull();
    const other = { ...settings, auth: { password: 'another' } };
    expect((await connections.look(other, question)).facts).toBeNull();
  });

  it('[SQ-39] data of unknown freshness', async () => {
    const connections = createKnownConnections();
    const settings: ConnectSettings = {
      name: 'db',
      driver: 'duckdb',
      keys: {},
      notebookDir: notebookFolder(world.root),
      ...NOTHING_MOUNTED,
    };
    const question = { access: 'read', tables: [], mounts: [] } as const;
    const look = await connections.look(settings, question);
    look.remember({ identity: {}, probe: { freshness: null, schema: [] } });
    expect((await connections.look(settings, question)).facts).toBeNull();
  });
});

/** A folder as DuckDB's own `extension_directory`, with httpfs, avro and iceberg in it. */
const EXTENSIONS = process.env['CELLAR_TEST_DUCKDB_EXTENSIONS'] ?? '';

// DuckDB's extensions come from its vendor's site, which tests do not contact.
describe.skipIf(!existsSync(EXTENSIONS))('a catalog on duckdb', () => {
  let catalog: IcebergCatalog;
  let owner: DuckDBConnection;
  beforeAll(async () => {
    const folder = join(world.root, 'lake');
    await mkdir(folder);
    catalog = await startIcebergCatalog(folder);
    const instance = await DuckDBInstance.create(':memory:', { extension_directory: EXTENSIONS });
    owner = await instance.connect();
    for (const extension of ['httpfs', 'avro', 'iceberg']) await owner.run(`LOAD ${extension}`);
    await owner.run(`CREATE SECRET own (TYPE iceberg, TOKEN '${catalog.token}')`);
    await owner.run(`ATTACH 'wh' AS lake (TYPE iceberg, ENDPOINT '${catalog.url}', SECRET own)`);
  });
  afterAll(async () => {
    owner?.closeSync();
    await catalog?.stop();
  });

  const connection = () => ({
    name: 'db',
    driver: 'duckdb' as const,
    catalog: 'lake',
    auth: {},
    options: { extension_directory: EXTENSIONS },
  });
  const UNSET = `$${'{NOT_SET}'}`;
  const catalogs = () => ({ lake: { uri: catalog.url, warehouse: 'wh', token: catalog.token } });
  const begin = async (table: string, policy: string) => {
    await owner.run(`CREATE TABLE lake.ns.${table} (id BIGINT)`);
    const add = () => owner.run(`INSERT INTO lake.ns.${table} VALUES (1), (2), (3)`);
    const run = world.cellOf(connection, catalogs);
    const head = `# @sql connection=db\n${policy === '' ? '' : `# @cache ${policy}\n`}`;
    const source = `${head}SELECT count(*) AS n FROM lake.ns.${table} AS t WHERE id > :limit`;
    const kinds: (string | number)[] = [];
    return {
      kinds,
      add,
      step: async (how?: SqlRunHow) => {
        const outcome = done(await run(source, how));
        kinds.push(outcome.kind);
        if (outcome.kind !== 'ran') return;
        const rows = outcome.outputs['result']?.preview as readonly (readonly unknown[])[] | undefined; // of a table
        kinds.push(Number(rows?.[0]?.[0]));
      },
    };
  };

  it('[SQ-38] a cell runs again once a table has a new snapshot, and not before; one without any always', async () => {
    const { kinds, add, step } = await begin('fresh', '');
    await step();
    await step();
    await add();
    await step();
    await step();
    await add();
    await step();
    expect(kinds).toEqual(['ran', 0, 'ran', 0, 'ran', 2, 'hit', 'ran', 4]);
  });

  it('[SQ-38] [SQ-39] @cache snapshot keeps the snapshots of the first run until it is run again', async () => {
    const { kinds, add, step } = await begin('kept', 'snapshot');
    await add();
    await step();
    await add();
    await step();
    await step({ limit: 2 });
    await step({ useCache: false });
    await step({ limit: 2 });
    expect(kinds).toEqual(['ran', 2, 'hit', 'ran', 1, 'ran', 4, 'ran', 2]);
    const before = world.queryCount();
    await step({ limit: 2 });
    expect([kinds.at(-1), world.queryCount() - before]).toEqual(['hit', 0]);
  });

  it('[SQ-38] an undefined catalog, and a variable without a value, fail with a message', async () => {
    const source = '# @sql connection=db\nSELECT 1 FROM lake.ns.fresh';
    const undefinedCatalog = await world.cellOf(connection)(source);
    const unset = await world.cellOf(connection, () => ({ lake: { uri: 'http://h', token: UNSET } }))(source);
    expect(
      [undefinedCatalog, unset].map((outcome) => (outcome.kind === 'failed' ? outcome.error : outcome.kind)),
    ).toEqual([
      'The connection "db" names the catalog "lake", which is not defined in notebook.toml or on the server, and is not attached in the Data panel.',
      expect.stringMatching(
        /^The catalog "lake" needs NOT_SET, which the notebook and the server do not set\. Add it .*Environment panel, Variables/,
      ),
    ]);
  });
});

function done(outcome: StepOutcome): StepOutcome {
  if (outcome.kind === 'failed') throw new Error(outcome.error);
  return outcome;
}
