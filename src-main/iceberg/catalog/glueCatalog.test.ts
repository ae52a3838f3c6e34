import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MotoServer, startMoto } from '../../../e2e/support/testMoto.ts';
import {
  type HttpStandIn,
  type StandInAnswer,
  type StandInRequest,
  startStandIn,
} from '../../sql/testing/httpStandIn.ts';
import { IcebergError } from '../icebergError.ts';
import { rowsOf } from '../testing/arrowRows.ts';
import { PYTHON, writtenBy } from '../testing/pyiceberg.ts';
import { NO_WAREHOUSES, scanned } from '../testing/scanned.ts';
import { type CatalogProperties, openCatalog } from './openCatalog.ts';

const never = new AbortController().signal;
const KEYS = { 'glue.access-key-id': 'AKIDEXAMPLE', 'glue.secret-access-key': 'secret' };
const AT_HOME = { 'glue.region': 'us-east-1', ...KEYS, type: 'glue' };

async function problemOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'none';
  } catch (error) {
    return error instanceof IcebergError ? `${error.kind}: ${error.message}` : String(error);
  }
}

describe.skipIf(PYTHON === undefined)('[IC-15] a Glue catalog that pyiceberg wrote', () => {
  let folder = '';
  let moto: MotoServer;
  let properties: CatalogProperties = {};
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glue-'));
    moto = await startMoto(PYTHON ?? '');
    await writtenBy('glue_tables.py', folder, moto.url, moto.key, moto.secret);
    properties = {
      type: 'glue',
      'glue.endpoint': moto.url,
      'client.region': 'us-east-1',
      'client.access-key-id': moto.key,
      'client.secret-access-key': moto.secret,
    };
  });
  afterAll(async () => {
    await moto.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const open = (more: CatalogProperties = {}) => openCatalog('lake', { ...properties, ...more });

  it('lists databases, and only those tables that are Iceberg tables', async () => {
    expect(await open().listNamespaces(never)).toEqual(['bare', 'ns']);
    expect(await open().listTables('ns', never)).toEqual(['orders']);
    expect(await open().listTables('bare', never)).toEqual([]);
  });

  it('returns the rows of its tables', async () => {
    const warehouses = { ...NO_WAREHOUSES, catalogs: { lake: properties } };
    const { rows } = await scanned('lake:ns.orders', {}, { warehouses });
    expect(rowsOf(rows)).toEqual(['id=1', 'id=2', 'id=3']);
  });

  it.each([
    [
      'an unknown table',
      () => open().loadTable('ns', 'none', never),
      'not_found: The catalog has no table ns.none.',
    ],
    [
      'a table of another kind',
      () => open().loadTable('ns', 'hive', never),
      'not_found: ns.hive is in the catalog, but is not an Iceberg table.',
    ],
    [
      'an unknown database',
      () => open().listTables('none', never),
      'not_found: The catalog has no namespace none.',
    ],
    [
      'a wrong secret',
      () => open({ 'client.secret-access-key': 'wrong' }).listNamespaces(never),
      'unavailable: The Glue catalog cannot be used: it refuses the keys: 403.',
    ],
  ])('refuses %s', async (_what, work, says) => {
    expect(await problemOf(work)).toBe(says);
  });
});

describe('[IC-15] a Glue catalog', () => {
  let server: HttpStandIn;
  let reply: (request: StandInRequest) => StandInAnswer = () => ({ body: {} });
  const requests: StandInRequest[] = [];
  beforeAll(async () => {
    server = await startStandIn((request) => {
      requests.push(request);
      return reply(request);
    });
  });
  afterAll(() => server.stop());
  const open = (more: CatalogProperties = {}) =>
    openCatalog('lake', { ...AT_HOME, 'glue.endpoint': server.url, ...more });

  it('is queried page by page, for the account of `glue.id`', async () => {
    requests.length = 0;
    reply = ({ body }) => {
      const { NextToken: token } = body as { readonly NextToken?: string };
      return token === undefined
        ? { body: { DatabaseList: [{ Name: 'b' }], NextToken: '2' } }
        : { body: { DatabaseList: [{ Name: 'a' }] } };
    };
    expect(await open({ 'glue.id': '1234' }).listNamespaces(never)).toEqual(['a', 'b']);
    expect(requests.map(({ body }) => body)).toEqual([
      { CatalogId: '1234' },
      { CatalogId: '1234', NextToken: '2' },
    ]);
    expect(requests[0]?.headers).toMatchObject({
      'x-amz-target': 'AWSGlue.GetDatabases',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/glue\/aws4_request, SignedHeaders=/,
      ),
    });
  });

  const rows: readonly (readonly [string, StandInAnswer, string])[] = [
    ['an answer that is not JSON', { body: Buffer.from('<html>') }, 'its answer is not JSON.'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'it answers 302.'],
    [
      'a refusal',
      { status: 400, body: { __type: 'com.amazon#AccessDeniedException', Message: 'not you' } },
      'it answers 400 AccessDeniedException: not you.',
    ],
    ['a failure', { status: 500, body: Buffer.from('oops') }, 'it answers 500.'],
  ];
  it.each(rows)('reports %s', async (_what, answer, says) => {
    reply = () => answer;
    expect(await problemOf(() => open().listNamespaces(never))).toBe(
      `unavailable: The Glue catalog cannot be used: ${says}`,
    );
  });

  it('that cannot be reached is reported', async () => {
    const none = open({ 'glue.endpoint': 'http://127.0.0.1:1' });
    expect(await problemOf(() => none.listNamespaces(never))).toBe(
      'unavailable: The Glue catalog cannot be used: it cannot be reached.',
    );
  });
});

describe('[IC-16] a REST catalog of AWS', () => {
  it('gets requests that are signed for its service', async () => {
    const authorizations: (string | undefined)[] = [];
    const server = await startStandIn(({ path, headers }) => {
      authorizations.push(headers.authorization);
      return { body: path === '/v1/config' ? {} : { namespaces: [] } };
    });
    const catalog = openCatalog('lake', {
      uri: server.url,
      type: 'rest',
      'rest.sigv4-enabled': 'true',
      'rest.signing-region': 'eu-west-1',
      'rest.signing-name': 's3tables',
      'client.access-key-id': 'AKIDEXAMPLE',
      'client.secret-access-key': 'secret',
    });
    expect(await catalog.listNamespaces(never)).toEqual([]);
    await server.stop();
    const signed = /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/s3tables\/aws4_request, /;
    expect(authorizations).toEqual([expect.stringMatching(signed), expect.stringMatching(signed)]);
  });
});
