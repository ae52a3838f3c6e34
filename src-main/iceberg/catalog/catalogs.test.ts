/**
 * Reading Iceberg catalogs: SQL catalogs in SQLite and PostgreSQL (a real server), and REST catalogs (a
 * fake server).
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type HttpStandIn,
  type StandInAnswer,
  type StandInRequest,
  startStandIn,
} from '../../sql/testing/httpStandIn.ts';
import { postgresDatabase } from '../../sql/testing/postgresDatabase.ts';
import { findPostgres } from '../../sql/testing/postgresServer.ts';
import { withinDeadline } from '../deadline.ts';
import { IcebergError } from '../icebergError.ts';
import type { Catalog } from './catalog.ts';
import { openCatalog } from './openCatalog.ts';

const never = new AbortController().signal;
/** As created by pyiceberg. */
const TABLES = `
CREATE TABLE iceberg_tables (catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL,
  table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),
  iceberg_type VARCHAR(5), PRIMARY KEY (catalog_name, table_namespace, table_name));
CREATE TABLE iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL,
  property_key VARCHAR(255) NOT NULL, property_value VARCHAR(1000) NOT NULL,
  PRIMARY KEY (catalog_name, namespace, property_key));
INSERT INTO iceberg_tables VALUES
  ('lake', 'ns', 't', 's3://b/t/2.json', 's3://b/t/1.json', 'TABLE'),
  ('lake', 'ns', 'view', 's3://b/v.json', NULL, 'VIEW'),
  ('lake', 'ns', 'old', 's3://b/old.json', NULL, NULL),
  ('lake', 'ns', 'both', 's3://b/lake.json', NULL, 'TABLE'),
  ('other', 'ns', 'both', 's3://b/other.json', NULL, 'TABLE'),
  ('other', 'far', 'away', 's3://b/away.json', NULL, 'TABLE'),
  ('other', 'far', 'twice', 's3://b/1.json', NULL, 'TABLE'),
  ('third', 'far', 'twice', 's3://b/2.json', NULL, 'TABLE');
INSERT INTO iceberg_namespace_properties VALUES ('lake', 'bare', 'exists', 'true');
`;

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof IcebergError ? `${error.kind}: ${error.message}` : String(error);
}

/** The behaviour that all SQL catalogs share. */
function sqlContract(open: () => Catalog): void {
  it('lists namespaces and tables, without views and other catalogs', async () => {
    const catalog = open();
    expect(await catalog.listNamespaces(never)).toEqual(['bare', 'ns']);
    expect(await catalog.listTables('ns', never)).toEqual(['both', 'old', 't']);
    expect(await catalog.listTables('bare', never)).toEqual([]);
    expect(await problemOf(catalog.listTables('none', never))).toBe(
      'not_found: The catalog has no namespace none.',
    );
    await catalog.close();
  });

  it('finds its own tables and no others', async () => {
    const catalog = open();
    const location = async (namespace: string, table: string) =>
      (await catalog.loadTable(namespace, table, never)).metadataLocation;
    expect(await location('ns', 't')).toBe('s3://b/t/2.json');
    expect(await location('ns', 'old')).toBe('s3://b/old.json');
    expect(await location('ns', 'both')).toBe('s3://b/lake.json');
    expect(await problemOf(location('ns', 'view'))).toBe('not_found: The catalog has no table ns.view.');
    expect(await problemOf(location("n's", 't'))).toContain('not_found');
    expect(await problemOf(location('far', 'away'))).toContain('not_found');
    await catalog.close();
  });
}

describe('[IC-8] a SQL catalog in SQLite', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    const database = new Database(join(folder, 'catalog.db'));
    database.exec(TABLES);
    database.close();
    new Database(join(folder, 'new.db')).exec('CREATE TABLE x (y)').close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  sqlContract(() => openCatalog('lake', { uri: `sqlite:///${folder}/catalog.db` }));

  it('of a warehouse folder belongs to the folder, regardless of its name', async () => {
    const catalog = openCatalog('any', { warehouse: `file://${folder}` });
    expect(await catalog.listNamespaces(never)).toEqual(['bare', 'far', 'ns']);
    expect((await catalog.loadTable('far', 'away', never)).metadataLocation).toBe('s3://b/away.json');
    expect(await problemOf(catalog.loadTable('far', 'twice', never))).toContain(
      'invalid_request: The database has the table far.twice in several catalogs.',
    );
    await catalog.close();
  });

  it('without its tables has no tables', async () => {
    const catalog = openCatalog('lake', { uri: `sqlite:///${folder}/new.db` });
    expect(await catalog.listNamespaces(never)).toEqual([]);
    expect(await problemOf(catalog.loadTable('ns', 't', never))).toContain('not_found');
    await catalog.close();
  });

  it.each([
    [{ uri: 'mysql://x/y' }, 'has a uri that is not supported'],
    [{}, 'needs a uri or a warehouse'],
    [{ warehouse: 's3://b/w' }, 'needs the uri of its database'],
    [{ type: 'hive', uri: 'thrift://x' }, 'has the type hive, which is not supported'],
    [{ type: 'rest' }, 'needs a uri, the address of the REST catalog'],
  ])('properties %j are refused', (properties, sentence) => {
    expect(() => openCatalog('lake', properties)).toThrow(sentence);
  });
});

describe.skipIf(findPostgres() === null)('[IC-8] a SQL catalog in PostgreSQL', () => {
  const database = postgresDatabase();
  beforeAll(async () => void (await database.admin().query(TABLES)));
  const uri = (password: string) => {
    const { host, port, user } = database.server();
    return `postgresql+psycopg2://${user}:${encodeURIComponent(password)}@${host}:${port}/postgres`;
  };
  sqlContract(() => openCatalog('lake', { type: 'sql', uri: uri(database.server().password) }));

  it('that refuses the login is reported, without the password', async () => {
    const catalog = openCatalog('lake', { uri: uri('wrong-secret') });
    const problem = await problemOf(catalog.listNamespaces(never));
    expect(problem).toBe('unavailable: The database of the catalog cannot be queried (28P01).');
    await catalog.close();
  });
});

describe('[IC-8] a REST catalog', () => {
  let server: HttpStandIn;
  const requests: string[] = [];
  const answer = ({ method, path, query, headers, body }: StandInRequest): StandInAnswer | 'hang' => {
    requests.push(`${method} ${path}`);
    if (path === '/v1/oauth/tokens') {
      const form = body as Readonly<Record<string, string>>;
      return form['client_secret'] === 'secret' ? { body: { access_token: 'token-1' } } : { status: 401 };
    }
    if (headers.authorization !== 'Bearer token-1') return { status: 401 };
    if (path === '/v1/config')
      return { body: { defaults: { prefix: 'unused' }, overrides: { prefix: 'p/q' } } };
    if (path === '/v1/p/q/namespaces') {
      if (query.get('parent') === 'ns') return { body: { namespaces: [['ns', 'sub']] } };
      if (query.has('parent')) return { body: { namespaces: [] } };
      return query.get('pageToken') === '2'
        ? { body: { namespaces: [['zz']] } }
        : { body: { namespaces: [['ns']], 'next-page-token': '2' } };
    }
    if (path === '/v1/p/q/namespaces/ns%1Fsub/tables')
      return { body: { identifiers: [{ namespace: ['ns', 'sub'], name: 't' }] } };
    if (path === '/v1/p/q/namespaces/ns/tables/t') {
      const text =
        '{"metadata-location":"s3://b/m.json","metadata":{"current-snapshot-id":9007199254740993},"config":{"s3.region":"r"}}';
      return { body: Buffer.from(text) };
    }
    if (path === '/v1/p/q/namespaces/ns/tables/broken') return { body: Buffer.from('<html>') };
    if (path === '/v1/p/q/namespaces/ns/tables/down') return { status: 503 };
    return path.endsWith('/hangs') ? 'hang' : { status: 404 };
  };
  beforeAll(async () => {
    server = await startStandIn(answer);
  });
  afterAll(() => server.stop());
  const open = (keys: Readonly<Record<string, unknown>> = { credential: 'client:secret' }) =>
    openCatalog('lake', { uri: `${server.url}/`, warehouse: 'wh', ...keys });

  it('is logged in to once, and lists page by page with nested namespaces', async () => {
    const catalog = open();
    requests.length = 0;
    expect(await catalog.listNamespaces(never)).toEqual(['ns', 'ns.sub', 'zz']);
    expect(await catalog.listTables('ns.sub', never)).toEqual(['t']);
    expect(requests.filter((one) => one === 'POST /v1/oauth/tokens').length).toBe(1);
  });

  it('hands out metadata with exact integers and the settings of the table', async () => {
    expect(await open({ token: 'token-1' }).loadTable('ns', 't', never)).toEqual({
      metadataLocation: 's3://b/m.json',
      metadata: { 'current-snapshot-id': 9007199254740993n },
      config: { 's3.region': 'r' },
    });
  });

  it.each([
    ['none', { credential: 'client:secret' }, 'not_found: The catalog has no table ns.none.'],
    ['t', { token: 'other' }, 'unavailable: The REST catalog cannot be used: it rejected the login (401).'],
    [
      't',
      { credential: 'client:no' },
      'unavailable: The REST catalog cannot be used: it rejected the login (401).',
    ],
    ['broken', { token: 'token-1' }, 'unavailable: The REST catalog cannot be used: its answer is not JSON.'],
    ['down', { token: 'token-1' }, 'unavailable: The REST catalog cannot be used: it answers 503.'],
    [
      't',
      { 'rest.sigv4-enabled': 'true', 'client.region': '' },
      'invalid_request: The catalog needs the region of its AWS service. Set rest.region among its properties.',
    ],
  ])('%s with %j', async (table, keys, sentence) => {
    expect(await problemOf(open(keys).loadTable('ns', table, never))).toBe(sentence);
  });

  it('[IC-12] that does not answer is aborted at the deadline', async () => {
    const catalog = open({ token: 'token-1' });
    const work = withinDeadline((signal) => catalog.loadTable('ns', 'hangs', signal), {
      milliseconds: 50,
      what: 'Planning the scan',
      signal: never,
    });
    expect(await problemOf(work)).toContain('timeout: Planning the scan took longer than 0.05 seconds.');
  });

  it('that cannot be reached is reported', async () => {
    const catalog = openCatalog('lake', { uri: 'http://127.0.0.1:1' });
    expect(await problemOf(catalog.listNamespaces(never))).toBe(
      'unavailable: The REST catalog cannot be used: it cannot be reached.',
    );
  });
});
