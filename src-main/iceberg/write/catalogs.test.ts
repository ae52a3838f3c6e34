/**
 * Writing Iceberg tables through each kind of catalog (a real REST server, PostgreSQL, a local S3 server);
 * pyiceberg reads the results.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LongTest, longTest } from '../../../e2e/support/longRun.ts';
import { OBJECT_SERVERS, type ObjectServer } from '../../../e2e/support/objectServers.ts';
import { postgresDatabase } from '../../sql/testing/postgresDatabase.ts';
import { findPostgres } from '../../sql/testing/postgresServer.ts';
import { IcebergError } from '../icebergError.ts';
import type { Warehouses } from '../openTable.ts';
import { rowsOf } from '../testing/arrowRows.ts';
import { PYTHON, SERVICES } from '../testing/pyiceberg.ts';
import { NO_WAREHOUSES } from '../testing/scanned.ts';
import { pyicebergReader, written } from '../testing/writing.ts';
import { moveTag } from './moveTag.ts';
import { openTableStore } from './openTableStore.ts';

const never = new AbortController().signal;
const numbers = (...values: readonly number[]) =>
  new Table({ n: vectorFromArray(values.map(BigInt), new Int64()) });

/**
 * The behaviour that all catalogs share.
 * @param conflicts registers the tests of several writers
 */
function contract(
  open: () => {
    readonly warehouses: Warehouses;
    /** How pyiceberg finds a table. */
    readonly properties: (table: string) => Promise<Readonly<Record<string, unknown>>>;
    readonly out: string;
  },
  conflicts: LongTest = it,
): void {
  const reader = pyicebergReader();
  const read = async (table: string) => {
    const { properties, out } = open();
    return reader.read(await properties(table), table, join(out, table));
  };

  it('creates, replaces and tags a table, which another program reads', async () => {
    const { warehouses } = open();
    const summary = (version: string) => ({ 'svc.version': version });
    const first = await written('lake:sales.orders', numbers(1, 2), { warehouses, summary: summary('1') });
    const second = await written('lake:sales.orders', numbers(3), {
      warehouses,
      summary: summary('2'),
      tag: 'next',
    });
    expect([first.created, second.created]).toEqual([true, false]);
    const store = openTableStore('lake:sales.orders', warehouses);
    const moved = await moveTag(store, { tag: 'prod', entries: summary('1') }, never);
    await store.close();
    const { rows, tags, taggedRows, entries } = await read('sales.orders');
    expect(rowsOf(rows)).toEqual(rowsOf(numbers(3)));
    expect([moved, tags]).toEqual([
      'moved',
      { next: String(second.snapshotId), prod: String(first.snapshotId) },
    ]);
    expect(rowsOf(await taggedRows('prod'))).toEqual(rowsOf(numbers(1, 2)));
    expect(entries.map(({ status }) => status).sort()).toEqual([1, 2]);
  });

  conflicts('allows only one of several writers to commit at a time', async () => {
    const { warehouses } = open();
    const answers = await Promise.all(
      [1, 2, 3].map((n) => written('lake:sales.many', numbers(n), { warehouses })),
    );
    expect(answers.filter(({ created }) => created).length).toBe(1);
    expect((await read('sales.many')).snapshots.length).toBe(3);
  });

  conflicts('gives up on a table that others keep changing, and leaves it unchanged', async () => {
    const { warehouses } = open();
    await written('lake:sales.busy', numbers(0), { warehouses });
    let others = 0;
    const check = () => undefined;
    const busy = written('lake:sales.busy', numbers(9), {
      warehouses,
      check,
      beforeCommit: async () => {
        others += 1;
        await written('lake:sales.busy', numbers(others), { warehouses });
      },
    });
    const error = await busy.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(IcebergError);
    expect(error).toMatchObject({ kind: 'conflict' });
    expect(rowsOf((await read('sales.busy')).rows)).toEqual(rowsOf(numbers(others)));
  });
}

describe.skipIf(PYTHON === undefined)('[RG-41] a REST catalog', () => {
  let folder = '';
  let server: ChildProcess | null = null;
  let port = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-rest-'));
    const child = spawn(PYTHON ?? 'python3', ['-I', join(SERVICES, 'rest_catalog.py'), folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    server = child;
    const line = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    port = String(line.value);
  });
  afterAll(async () => {
    server?.kill();
    await rm(folder, { recursive: true, force: true });
  });
  contract(() => ({
    warehouses: { ...NO_WAREHOUSES, catalogs: { lake: { type: 'rest', uri: `http://127.0.0.1:${port}` } } },
    properties: async () => ({ name: 'lake', type: 'sql', uri: `sqlite:///${folder}/catalog.db` }),
    out: folder,
  }));
});

describe.skipIf(PYTHON === undefined || findPostgres() === null)(
  '[RG-41] a SQL catalog in PostgreSQL',
  () => {
    const database = postgresDatabase();
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'iceberg-pg-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    contract(() => {
      const { host, port, user, password } = database.server();
      const properties = {
        type: 'sql',
        uri: `postgresql+psycopg2://${user}:${encodeURIComponent(password)}@${host}:${port}/postgres`,
        warehouse: `file://${folder}`,
      };
      return {
        warehouses: { ...NO_WAREHOUSES, catalogs: { lake: properties } },
        // The Python of the tests has no driver for PostgreSQL.
        async properties(table) {
          const [namespace, name] = table.split('.');
          const sql =
            'SELECT metadata_location FROM iceberg_tables WHERE table_namespace = $1 AND table_name = $2';
          const { rows } = await database.admin().query(sql, [namespace, name]);
          return { metadata: rows[0]?.metadata_location };
        },
        out: folder,
      };
    });
  },
);

const { missing, start } = OBJECT_SERVERS.s3;

describe.skipIf(PYTHON === undefined || missing !== null)('[RG-41] a table in a bucket', () => {
  let folder = '';
  let server: ObjectServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iceberg-bucket-'));
    server = await start();
    await server.createBucket('lake');
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  contract(() => {
    const { endpoint_url: endpoint, key, secret } = server.credential;
    const properties = {
      type: 'sql',
      uri: `sqlite:///${folder}/catalog.db`,
      warehouse: 's3://lake/warehouse',
      's3.endpoint': endpoint,
      's3.access-key-id': key,
      's3.secret-access-key': secret,
      's3.region': 'us-east-1',
    };
    return {
      warehouses: { ...NO_WAREHOUSES, catalogs: { lake: properties } },
      properties: async () => ({ name: 'lake', ...properties }),
      out: folder,
    };
    // The catalog is an SQL catalog, as in the tests with PostgreSQL.
  }, longTest('src-main/iceberg/write/catalogs.test.ts'));
});

describe('[RG-41] a catalog that is only read', () => {
  it.each([
    ['lake:ns.t', { type: 'glue' }, 'has the type glue, whose tables are not written'],
    ['lake:ns.t', { type: 'rest' }, 'needs a uri, the address of the REST catalog'],
    ['other:ns.t', { type: 'rest' }, 'There is no catalog "other"'],
  ])('%s in %j is refused', (uri, properties, sentence) => {
    expect(() => openTableStore(uri, { ...NO_WAREHOUSES, catalogs: { lake: properties } })).toThrow(sentence);
  });
});
