/** For tests: a real server on a free loopback port, with sessions in memory. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStoredWorkersInMemory } from '../../artifacts/storedWorkers.ts';
import { type Builds, createBuilds } from '../../builds/builds.ts';
import { loadConfig } from '../../config/loadConfig.ts';
import type { Config } from '../../config/variables.ts';
import { createDataPlane } from '../../dataPlane/dataPlane.ts';
import { createRemoteWorkers } from '../../exec/remote/remoteWorkers.ts';
import { createExamples } from '../../notebook/examples.ts';
import { createLogger } from '../../observe/log.ts';
import { LogRing } from '../../observe/logRing.ts';
import { NO_TRACING } from '../../observe/tracing.ts';
import { createRegistryService } from '../../registry/registryService.ts';
import { createCellClients } from '../../session/effects/cellClients.ts';
import { openWorkerRegistry } from '../../session/effects/workerRegistry.ts';
import type { App } from '../app.ts';
import { type RunningServer, type StartOptions, startServer } from '../startServer.ts';
import { MemorySessions } from './memorySessions.ts';

export interface TestServer extends RunningServer {
  readonly sessions: MemorySessions;
  readonly logged: readonly string[];
  /** A request to a path of the server. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface TestServerOptions {
  readonly config?: Partial<Config>;
  readonly sessions?: MemorySessions;
  readonly builds?: Builds;
  readonly app?: Partial<App>;
  readonly start?: StartOptions;
}

const NO_REGISTRY = createRegistryService(null, {
  intervalSeconds: null,
  limits: { maxIdleDays: null, maxBytes: null, minIdleSeconds: 0 },
  onProblem(error) {
    throw error;
  },
});

/** Starts the server. Rate limits are off unless requested. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const sessions = options.sessions ?? new MemorySessions();
  const logged: string[] = [];
  const config = loadConfig({
    cwd: tmpdir(),
    env: {},
    overrides: { rateLimitEnabled: false, ...options.config },
  });
  const log = createLogger({
    level: 'DEBUG',
    format: 'json',
    destination: { write: (line) => logged.push(line) },
  });
  const serverWorkers = await openWorkerRegistry({
    kept: createStoredWorkersInMemory(),
    configured: [],
    notebooksDefine: true,
    remote: createRemoteWorkers({ env: {} }),
    log,
  });
  const server = await startServer(
    {
      config,
      sessions,
      remoteStore: null,
      cellClients: createCellClients(null),
      serverWorkers,
      registry: NO_REGISTRY,
      dataPlane: createDataPlane({ config, registry: options.app?.registry ?? NO_REGISTRY, log }),
      builds: options.builds ?? createBuilds({ secret: null, expirySeconds: 600, maxOutputBytes: 1e9 }),
      tables: {
        page: () => Promise.reject(new Error('no tables here')),
        summary: () => Promise.reject(new Error('no tables here')),
        distributions: () => Promise.reject(new Error('no tables here')),
        column: () => Promise.reject(new Error('no tables here')),
        groups: () => Promise.reject(new Error('no tables here')),
        export: () => Promise.reject(new Error('no tables here')),
      },
      examples: createExamples({ dir: join(tmpdir(), 'no-examples'), storageDir: tmpdir() }),
      pythonVersions: async () => ['3.13', '3.12'],
      version: '0.0.0-test',
      log,
      recentLog: new LogRing(),
      tracing: NO_TRACING,
      rendererDir: null,
      ...options.app,
    },
    { port: 0, drainMs: 200, ...options.start },
  );
  return {
    ...server,
    sessions,
    logged,
    fetch: (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: 'manual', ...init }),
  };
}
