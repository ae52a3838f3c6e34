import { join } from 'node:path';
import type { CACHE_ROUTES } from '../../src-shared/wire/routes/cache.ts';
import type { DATA_PLANE_ROUTES } from '../../src-shared/wire/routes/dataPlane.ts';
import type { TABLE_CATALOG_ROUTES } from '../../src-shared/wire/routes/tableCatalogs.ts';
import { writeEmptyTable } from '../support/emptyTable.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import type { Call } from './refusedCalls.ts';

/** A valid call of every route of the data plane and its cache. The server's catalog `silent` never answers. */
export function dataPlaneCalls(
  server: () => ServerProcess,
): Readonly<
  Record<
    keyof typeof DATA_PLANE_ROUTES | keyof typeof CACHE_ROUTES | keyof typeof TABLE_CATALOG_ROUTES,
    () => Promise<Call> | Call
  >
> {
  let table: Promise<string> | null = null;
  const tableUri = (): Promise<string> => {
    table ??= writeEmptyTable(join(server().storageDir, '.warehouse'));
    return table;
  };
  const query = (sql: string) => ({ inputs: [], transform: { executor: 'duckdb_sql@v1', params: { sql } } });
  const scan = async () => ({ inputs: [await tableUri()], transform: { executor: 'scan@v1', params: {} } });
  const post = <T>(path: string, body: unknown) => rest<T>(server().url, 'POST', path, body);
  const job = async (): Promise<Call> => {
    const { body } = await post<{ job_id: string }>('/v1/cache/warm/async', { tables: [await tableUri()] });
    return { params: { job_id: body.job_id } };
  };
  /** The warehouse folder as an attached catalog. */
  const attached = async (): Promise<{ readonly catalog: string }> => {
    const [warehouse = ''] = (await tableUri()).split('#');
    await rest(server().url, 'PUT', '/v1/notebooks/x/catalogs/lake', { properties: { warehouse } });
    return { catalog: 'lake' };
  };
  const inTable = async () => {
    const [namespace = '', name = ''] = ((await tableUri()).split('#')[1] ?? '').split('.');
    return { namespace, table: name };
  };
  return {
    listTableCatalogs: () => ({}),
    attachTableCatalog: () => ({
      params: { catalog: 'other' },
      body: { properties: { type: 'rest', uri: 'http://127.0.0.1:9', token: 't' } },
    }),
    detachTableCatalog: async () => ({ params: await attached() }),
    tableNamespaces: async () => ({ params: await attached() }),
    namespaceTables: async () => {
      const { namespace } = await inTable();
      return { params: await attached(), query: { namespace } };
    },
    describeTable: async () => ({ params: await attached(), query: await inTable() }),
    sampleTable: async () => ({ params: await attached(), query: await inTable() }),
    materialize: async () => ({ body: await scan() }),
    materializeTransform: () => ({ body: { ...query('SELECT 1 AS a'), mode: 'artifact' } }),
    explainMaterialize: () => ({ body: { ...query('SELECT 2 AS a'), name: 'team/two' } }),
    scan: async () => ({ body: { table: await tableUri(), columns: ['a'] } }),
    fetchStream: async () => {
      const { body } = await post<{ stream_id: string }>('/v1/materialize', await scan());
      return { params: { stream_id: body.stream_id } };
    },
    configTimeouts: () => ({}),
    cacheStats: () => ({}),
    cacheEntries: () => ({}),
    cacheEvictions: () => ({ query: { include_events: 'true', limit: '5' } }),
    cacheHistogram: () => ({}),
    clearCache: () => ({}),
    warmCache: async () => ({ body: { tables: [await tableUri()], columns: ['a'] } }),
    warmCacheAsync: async () => ({ body: { tables: [await tableUri()], priority: 1 } }),
    warmJobs: () => ({ query: { include_completed: 'true' } }),
    warmJob: job,
    cancelWarmJob: async () => {
      const { body } = await post<{ job_id: string }>('/v1/cache/warm/async', { tables: ['silent:ns.t'] });
      return { params: { job_id: body.job_id } };
    },
    inspectCache: () => ({ query: { prefix: 'ab', limit: '3' } }),
    metadataStats: () => ({}),
    cleanUpMetadata: () => ({}),
  };
}
