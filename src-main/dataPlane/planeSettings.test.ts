import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OBJECT_SERVERS, type ObjectServer } from '../../e2e/support/objectServers.ts';
import { startSilentServer } from '../../e2e/support/silentServer.ts';
import { loadConfig } from '../config/loadConfig.ts';
import { PYTHON, writtenBy } from '../iceberg/testing/pyiceberg.ts';
import { warehousesOf } from './planeSettings.ts';
import { openPlaneWorld, type SharedTables, sharedPlaneTables } from './testing/planeWorld.ts';

const of = (env: Readonly<Record<string, string>>) => warehousesOf(loadConfig({ cwd: tmpdir(), env }));

describe('the settings of catalogs and object stores', () => {
  it('[DP-40] have their defaults', () => {
    expect(of({})).toEqual({
      defaultCatalog: 'default',
      catalogs: { default: {} },
      storage: { s3: { connect_timeout: 10, read_timeout: 30 }, gs: {}, az: {} },
    });
  });

  const rows: readonly (readonly [string, string, object])[] = [
    ['SVC_S3_REGION', 'eu-north-1', { s3: { region: 'eu-north-1' } }],
    ['AWS_REGION', 'eu-north-1', { s3: { region: 'eu-north-1' } }],
    ['SVC_S3_ENDPOINT_URL', 'http://127.0.0.1:9', { s3: { endpoint_url: 'http://127.0.0.1:9' } }],
    ['SVC_S3_ACCESS_KEY', 'k', { s3: { key: 'k' } }],
    ['SVC_S3_SECRET_KEY', 's', { s3: { secret: 's' } }],
    ['SVC_S3_ANONYMOUS', 'true', { s3: { anon: true } }],
    ['SVC_S3_CONNECT_TIMEOUT_SECONDS', '3', { s3: { connect_timeout: 3 } }],
    ['SVC_S3_REQUEST_TIMEOUT_SECONDS', '4', { s3: { read_timeout: 4 } }],
    ['SVC_GCS_CREDENTIALS_JSON', '{"type":"x"}', { gs: { token: '{"type":"x"}' } }],
    ['SVC_GCS_ANONYMOUS', 'true', { gs: { anon: true } }],
    ['SVC_GCS_ENDPOINT_OVERRIDE', 'http://127.0.0.1:9', { gs: { endpoint_url: 'http://127.0.0.1:9' } }],
    ['SVC_AZURE_ACCOUNT_NAME', 'a', { az: { account_name: 'a' } }],
    ['SVC_AZURE_ACCOUNT_KEY', 'k', { az: { account_key: 'k' } }],
    ['SVC_AZURE_CONNECTION_STRING', 'c', { az: { connection_string: 'c' } }],
    ['SVC_AZURE_SAS_TOKEN', 's', { az: { sas_token: 's' } }],
    ['SVC_AZURE_ENDPOINT_URL', 'http://127.0.0.1:9', { az: { endpoint_url: 'http://127.0.0.1:9' } }],
    ['SVC_AZURE_USE_DEFAULT_CREDENTIAL', 'true', { az: { default_credential: true } }],
    ['SVC_GCS_DEFAULT_BUCKET_LOCATION', 'EU', { gs: { default_bucket_location: 'EU' } }],
  ];
  it.each(rows)('[DP-40] %s reaches the client of its store', (name, value, storage) => {
    expect(of({ [name]: value })).toMatchObject({ storage });
  });

  it('[DP-41] the configured catalog has its name and uri, and is listed with the others', () => {
    expect(
      of({
        SVC_CATALOG_NAME: 'lake',
        SVC_CATALOG_PROPERTIES: '{"type":"sql","warehouse":"/wh"}',
        SVC_CATALOG_URI: 'sqlite:////wh/c.db',
        SVC_CATALOGS: '{"team":{"type":"rest","uri":"http://127.0.0.1:9"}}',
      }),
    ).toMatchObject({
      defaultCatalog: 'lake',
      catalogs: {
        lake: { type: 'sql', warehouse: '/wh', uri: 'sqlite:////wh/c.db' },
        team: { type: 'rest' },
      },
    });
  });
});

describe.skipIf(PYTHON === undefined)('tables by their catalogs', () => {
  let tables: SharedTables;
  beforeAll(async () => {
    tables = await sharedPlaneTables();
  });

  it('[DP-41] a table is read by the name of its catalog, and by none from the default one', async () => {
    const lake = {
      type: 'sql',
      uri: `sqlite:///${tables.folder}/catalog.db`,
      warehouse: `file://${tables.folder}`,
    };
    const world = await openPlaneWorld({ catalogName: 'svc', catalogProperties: lake });
    for (const uri of ['ns.orders', 'svc:ns.orders', `file://${tables.folder}#ns.orders`]) {
      const { stream_id } = await world.materialize([uri], 'scan@v1', { columns: ['id'] }, { refresh: true });
      expect(await world.rows(stream_id), uri).toHaveLength(15);
    }
    await expect(world.materialize(['other:ns.orders'], 'scan@v1', {})).rejects.toMatchObject({
      status: 404,
    });
    await world.close();
  });

  it('[DP-42] more deletes than the limit are refused with 422', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plane-deletes-'));
    await writtenBy('iceberg_cases.py', folder);
    const scan = async (maxEqualityDeleteRows: number) => {
      const world = await openPlaneWorld({ maxEqualityDeleteRows });
      const answer = await world.materialize([`${folder}#ns.equality`], 'scan@v1', {}).then(
        ({ state }) => state,
        (error: { status: number }) => error.status,
      );
      await world.close();
      return answer;
    };
    expect([await scan(10_000_000), await scan(0)]).toEqual(['building', 422]);
    await rm(folder, { recursive: true, force: true });
  });
});

const { missing, start } = OBJECT_SERVERS.s3;
describe.skipIf(missing !== null || PYTHON === undefined)('tables in S3', () => {
  let folder = '';
  let server: ObjectServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plane-s3-'));
    server = await start();
    await server.createBucket('lake');
    const { endpoint_url, key, secret } = server.credential;
    await writtenBy('iceberg_s3.py', folder, String(endpoint_url), String(key), String(secret), 'lake');
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const scan = async (config: Parameters<typeof openPlaneWorld>[0]) => {
    const world = await openPlaneWorld({
      catalogName: 'lake',
      catalogProperties: { type: 'sql', uri: `sqlite:///${folder}/catalog.db` },
      ...config,
    });
    try {
      const { stream_id } = await world.materialize(['ns.t'], 'scan@v1', {});
      const rows = await world.rows(stream_id);
      const uri = 's3://lake/warehouse#ns.t';
      const again = await world.materialize([uri], 'scan@v1', {});
      return `${rows.length} rows, ${(await world.rows(again.stream_id)).length} rows`;
    } catch (error) {
      return `${(error as { readonly status: number }).status}`; // a refusal
    } finally {
      await world.close();
    }
  };

  it('[DP-43] are read with the keys and the address of the settings, and refused with others', async () => {
    const { endpoint_url, key, secret } = server.credential;
    const s3 = { s3EndpointUrl: String(endpoint_url), s3AccessKey: String(key), s3SecretKey: String(secret) };
    expect(await scan(s3)).toBe('4 rows, 4 rows');
    expect(await scan({ ...s3, s3AccessKey: 'AKIANOBODY' })).toBe('503');
    const silent = await startSilentServer();
    const late = { s3EndpointUrl: silent.url, s3RequestTimeoutSeconds: 0.05, planTimeoutSeconds: 20 };
    expect(await scan({ ...s3, ...late })).toMatch(/^50[34]$/);
    silent.close();
  });
});
