/** A valid call of each route of workers, environment variables and secrets, for the tests of all routes. */

import { rest } from '../support/rest.ts';
import type { Call } from './refusedCalls.ts';
import type { RouteWorld } from './routeWorld.ts';

/** No worker listens there; the route must answer nevertheless. */
const GPU = { name: 'gpu', backend: 'executor', config: { url: 'http://127.0.0.1:9/v1/execute' } };

/** Sets the server's workers to this one and returns its name. */
async function haveServerWorker({ server }: RouteWorld): Promise<{ name: string }> {
  await rest(server.url, 'PUT', '/v1/admin/notebook-workers', { workers: [GPU] });
  return { name: GPU.name };
}

/** A valid call of each route of workers, and of the variables and secrets that they get. */
export function workerCalls(at: () => RouteWorld) {
  return {
    listWorkers: () => ({ query: { refresh: 'true' } }),
    setWorkers: () => ({ body: { workers: [GPU] } }),
    setWorker: () => ({ body: { worker: 'local' } }),
    testWorker: () => ({ body: { url: GPU.config.url } }),
    setWorkerToken: async () => {
      await rest(at().server.url, 'PUT', `/v1/notebooks/${at().notebook.sid}/workers`, { workers: [GPU] });
      return { body: { name: GPU.name, token: 'a-long-token' } };
    },
    connectSshWorker: () => ({ body: { ssh_target: 'lab', name: 'by-ssh' } }),
    listSshWorkers: () => ({}),
    workerLog: () => ({ query: { name: 'by-ssh' } }),
    disconnectSshWorker: () => ({ params: { name: 'by-ssh' }, query: { stop_remote: 'true' } }),
    listServerWorkers: () => ({ query: { refresh: 'true' } }),
    setServerWorkers: () => ({ body: { workers: [{ ...GPU, config: { ...GPU.config, rack: 7 } }] } }),
    addServerWorker: () => ({ body: { ...GPU, name: 'added', enabled: false } }),
    changeServerWorker: async () => ({
      params: await haveServerWorker(at()),
      body: { ...GPU, name: 'changed' },
    }),
    switchServerWorker: async () => ({ params: await haveServerWorker(at()), body: { enabled: false } }),
    removeServerWorker: async () => ({ params: await haveServerWorker(at()) }),
    askServerWorker: async () => ({ params: await haveServerWorker(at()) }),
    reloadServerWorkers: () => ({}),
    setEnv: () => ({ body: { env: { MODE: 'quick', API_KEY: 'a-long-key' } } }),
    setSecretManager: () => ({ body: { provider: 'infisical', project_id: 'p' } }),
    refreshSecrets: () => ({}),
  } satisfies Record<string, () => Call | Promise<Call>>;
}
