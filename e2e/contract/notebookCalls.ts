/**
 * A valid call of every route of whole notebooks, their mounts and connections, for the tests of all routes
 * (`routes.test.ts`).
 */

import { join } from 'node:path';
import { rest } from '../support/rest.ts';
import type { Call } from './refusedCalls.ts';
import { anotherNotebook, notebookForJobs, type RouteWorld } from './routeWorld.ts';

async function haveConnection({ server, notebook }: RouteWorld): Promise<void> {
  const connections = [{ name: 'mem', driver: 'duckdb' }];
  await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/connections`, { connections });
}

export function notebookCalls(at: () => RouteWorld) {
  return {
    createNotebook: () => ({ body: { parent_path: at().root, name: 'Fresh one', starter_cell: true } }),
    openNotebook: () => ({ body: { path: at().notebook.path } }),
    closeNotebook: async () => {
      const other = await anotherNotebook(at(), 'closing');
      return { params: { sid: other.sid } };
    },
    quiesceNotebook: async () => ({
      params: { sid: (await notebookForJobs(at())).sid },
      body: { timeout_seconds: 1 },
    }),
    releaseNotebook: () => ({}),
    quiesceProject: async () => ({ params: { path: (await notebookForJobs(at())).path } }),
    releaseProject: () => ({ params: { path: join(at().root, 'nobody') } }),
    setTimeout: () => ({ body: { timeout: 90.5 } }),
    notebookArtifacts: () => ({}),
    renameNotebook: () => ({ body: { name: '  Renamed  ' } }),
    setMounts: async () => {
      const other = await anotherNotebook(at(), 'mounting');
      return { params: { sid: other.sid }, body: { mounts: [{ name: 'raw', uri: 'file://./data' }] } };
    },
    listConnections: () => ({}),
    setConnections: () => ({ body: { connections: [{ name: 'mem', driver: 'duckdb' }] } }),
    connectionSchema: async () => {
      await haveConnection(at());
      return { params: { name: 'mem' } };
    },
    testConnection: async () => {
      await haveConnection(at());
      return { params: { name: 'mem' } };
    },
  } satisfies Record<string, () => Call | Promise<Call>>;
}
