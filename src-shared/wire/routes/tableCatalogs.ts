/** Contracts of the routes that attach and browse catalogs of Iceberg tables. */

import * as z from 'zod';
import type { RouteContract } from './contract.ts';

const CATALOGS = '/v1/notebooks/x/catalogs';

const catalogName = z.string().min(1).max(200);
const catalogParams = z.object({ catalog: catalogName });
const namespaceName = z.string().min(1).max(512);
const tableName = z.string().min(1).max(512);

/** A catalog of Iceberg tables that the server knows, without its secrets. */
const offeredCatalog = z.object({
  name: z.string(),
  /** Whether the settings of the server define it, or a user attached it. */
  from: z.enum(['settings', 'window']),
  properties: z.record(z.string(), z.string()),
  /** Properties with a value that is not shown. */
  secrets: z.array(z.string()),
  problem: z.string().nullable(),
});
export type OfferedCatalog = z.infer<typeof offeredCatalog>;

const catalogs = z.object({ catalogs: z.array(offeredCatalog) });

const snapshot = z.object({
  /** Decimal digits: the number may exceed the range of a double. */
  id: z.string(),
  parent_id: z.string().nullable(),
  /** ISO UTC. */
  at: z.string(),
  operation: z.string().nullable(),
  added_rows: z.string().nullable(),
  deleted_rows: z.string().nullable(),
  total_rows: z.string().nullable(),
});
export type TableSnapshot = z.infer<typeof snapshot>;

/** Catalogs of Iceberg tables: attaching and browsing them (docs/extensions.md). */
export const TABLE_CATALOG_ROUTES = {
  listTableCatalogs: {
    method: 'GET',
    path: CATALOGS,
    summary: 'The catalogs of Iceberg tables that the server knows, without secrets',
    scope: 'notebook:read',
    personalOnly: true,
    response: catalogs,
    errors: [403, 503],
  },
  attachTableCatalog: {
    method: 'PUT',
    path: `${CATALOGS}/{catalog}`,
    summary: 'Attach a catalog, or change one that was attached; a null keeps the secret that it has',
    scope: 'notebook:write',
    personalOnly: true,
    params: catalogParams,
    body: z.object({ properties: z.record(z.string().min(1).max(200), z.string().max(4096).nullable()) }),
    response: catalogs,
    errors: [400, 403, 422, 503],
  },
  detachTableCatalog: {
    method: 'DELETE',
    path: `${CATALOGS}/{catalog}`,
    summary: 'Forget a catalog that was attached; its tables stay as they are',
    scope: 'notebook:write',
    personalOnly: true,
    params: catalogParams,
    response: catalogs,
    errors: [403, 404, 503],
  },
  tableNamespaces: {
    method: 'GET',
    path: `${CATALOGS}/{catalog}/namespaces`,
    summary: 'The namespaces of a catalog',
    scope: 'notebook:read',
    personalOnly: true,
    params: catalogParams,
    response: z.object({ namespaces: z.array(z.string()) }),
    errors: [400, 403, 404, 422, 503, 504],
  },
  namespaceTables: {
    method: 'GET',
    path: `${CATALOGS}/{catalog}/tables`,
    summary: 'The tables of a namespace',
    scope: 'notebook:read',
    personalOnly: true,
    params: catalogParams,
    query: z.object({ namespace: namespaceName }),
    response: z.object({ tables: z.array(z.string()) }),
    errors: [400, 403, 404, 422, 503, 504],
  },
  describeTable: {
    method: 'GET',
    path: `${CATALOGS}/{catalog}/table`,
    summary: 'The columns of a table and its newest 200 snapshots, newest first',
    scope: 'notebook:read',
    personalOnly: true,
    params: catalogParams,
    query: z.object({ namespace: namespaceName, table: tableName }),
    response: z.object({
      uri: z.string(),
      location: z.string(),
      format_version: z.number().int(),
      columns: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() })),
      current_snapshot_id: z.string().nullable(),
      snapshots: z.array(snapshot),
      snapshot_count: z.number().int(),
    }),
    errors: [400, 403, 404, 422, 503, 504],
  },
  sampleTable: {
    method: 'GET',
    path: `${CATALOGS}/{catalog}/sample`,
    summary: 'The first 50 rows of a table, at its current snapshot or at the named one',
    scope: 'notebook:read',
    personalOnly: true,
    params: catalogParams,
    query: z.object({
      namespace: namespaceName,
      table: tableName,
      snapshot_id: z
        .string()
        .regex(/^-?\d{1,19}$/)
        .optional(),
    }),
    response: z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: z.array(z.array(z.unknown())),
    }),
    errors: [400, 403, 404, 413, 422, 503, 504],
  },
} as const satisfies Record<string, RouteContract>;
