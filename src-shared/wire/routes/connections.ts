/** Contracts of the routes about a notebook's SQL connections: settings, tests and schemas. */

import * as z from 'zod';
import { cell } from '../cell.ts';
import { sessionState } from '../notebookState.ts';
import type { RouteContract } from './contract.ts';
import { sessionParams } from './params.ts';

const SESSION = '/v1/notebooks/{sid}';
const MAX_CONNECTIONS = 200;

const connections = sessionState.shape.connections;
const connectionParams = sessionParams.extend({ name: z.string() });

/** A table of a connection and its columns (docs/spec/rest-notebooks.md, 7). */
export const schemaTable = z.object({
  catalog: z.string().nullable(),
  schema: z.string().nullable(),
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean().nullable() })),
});

/** The connections of a notebook after a change. */
const connectionsAnswer = z.object({
  connections,
  malformed_connections: sessionState.shape.malformed_connections,
  cells: z.array(cell),
});
export type ConnectionsAnswer = z.infer<typeof connectionsAnswer>;

/** SQL connections: their entries in notebook.toml, and their tables (docs/spec/rest-notebooks.md, 7). */
export const CONNECTION_ROUTES = {
  listConnections: {
    method: 'GET',
    path: `${SESSION}/connections`,
    summary: 'The SQL connections of a notebook; text under auth is masked',
    scope: 'notebook:read',
    params: sessionParams,
    response: z.object({ connections }),
    errors: [404],
  },
  setConnections: {
    method: 'PUT',
    path: `${SESSION}/connections`,
    summary:
      'Replace the SQL connections; text under auth is only stored in memory, references are stored in the file',
    scope: 'notebook:write',
    params: sessionParams,
    body: z.object({
      connections: z.array(z.record(z.string(), z.unknown())).max(MAX_CONNECTIONS).default([]),
    }),
    response: connectionsAnswer,
    errors: [400, 404, 409, 422],
  },
  connectionSchema: {
    method: 'GET',
    path: `${SESSION}/connections/{name}/schema`,
    summary: 'Tables and columns of a connection; an error of the database is a 400 with its message',
    scope: 'notebook:read',
    params: connectionParams,
    response: z.object({ connection: z.string(), driver: z.string(), tables: z.array(schemaTable) }),
    errors: [400, 403, 404, 409],
  },
  testConnection: {
    method: 'POST',
    path: `${SESSION}/x/connections/{name}/test`,
    summary: 'Test a connection as a reading cell would use it',
    scope: 'notebook:execute',
    params: connectionParams,
    response: z.object({ ok: z.boolean(), problem: z.string().nullable(), duration_ms: z.number() }),
    errors: [403, 404, 409],
  },
} as const satisfies Record<string, RouteContract>;
