/** Starts a complete server from a configuration, for `svc serve` and the desktop app. */

import { ConfigError } from '../config/configError.ts';
import { serverEnvironment } from '../config/serverEnvironment.ts';
import type { Config } from '../config/variables.ts';
import { warnWithoutEffect } from '../config/withoutEffect.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { makeFolders } from '../lib/makeFolders.ts';
import { sweepOwned } from '../lib/ownedName.ts';
import type { PeerUsers } from '../lib/peerUser.ts';
import { NEW_PREFIX } from '../notebook/createNotebook.ts';
import { areEditedInPlace, createExamples } from '../notebook/examples.ts';
import { DOOMED_PREFIX } from '../notebook/removeNotebook.ts';
import { type RunningServer, type StartOptions, startServer } from '../server/startServer.ts';
import { UPLOAD_PREFIX } from '../server/upload.ts';
import { createTableService } from '../table/service/tableService.ts';
import { type App, type AppOptions, composeApp, examplesDir, rendererDir, VERSION } from './composeApp.ts';

interface ServedOptions extends AppOptions {
  readonly start: Omit<StartOptions, 'peers'>;
  /** Whose connections from this machine are answered. Default: all, for a server with a launch token. */
  readonly peers?: (config: Config) => Promise<PeerUsers | 'all'>;
}

/** A complete server: what `svc serve` runs and what the desktop app starts. */
export interface ServedApp {
  readonly port: number;
  readonly url: string;
  /** See `RunningServer.ticketUrl`. */
  readonly ticketUrl: () => string;
  /** See `App.grant`. */
  readonly grant: (root: string) => void;
  /** See `App.trust`. */
  readonly trust: (root: string) => Promise<void>;
  /** See `App.network`. */
  readonly network: (variables: Readonly<Record<string, string>>) => void;
  /** Names of the open notebooks with something running. */
  readonly running: () => readonly string[];
  /** Drains, ends the sessions and everything that they started. */
  close(): Promise<void>;
}

/** @throws ConfigError, also if the port is in use */
export async function startServedApp({ start, peers, ...options }: ServedOptions): Promise<ServedApp> {
  const app = await composeApp(options);
  for (const warning of warnWithoutEffect({ cwd: process.cwd(), env: serverEnvironment() }))
    app.log.warn(warning);
  const tables = createTableService();
  const close = async (server: RunningServer | null): Promise<void> => {
    await server?.close();
    await tables.close();
    await app.close();
  };
  let server: RunningServer;
  try {
    const whose = peers === undefined ? 'all' : await peers(app.config);
    server = await served(app, {
      start: { ...start, peers: whose },
      tables,
      resourceDir: options.resourceDir ?? null,
    });
  } catch (error) {
    // The composed parts have processes and timers of their own.
    await close(null);
    throw error;
  }
  sweepLitter(app, [app.config.notebookStorageDir, ...(options.grants ?? [])]);
  return {
    port: server.port,
    url: server.url,
    ticketUrl: server.ticketUrl,
    grant: app.grant,
    trust: app.trust,
    network: app.network,
    running: () =>
      app.sessions
        .list()
        .filter((session) => session.views.cells.all().some(({ status }) => status === 'running'))
        .map((session) => session.views.notebook.body().name),
    close: () => close(server),
  };
}

async function served(
  app: App,
  {
    start,
    tables,
    resourceDir,
  }: {
    readonly start: StartOptions;
    readonly tables: ReturnType<typeof createTableService>;
    readonly resourceDir: string | null;
  },
): Promise<RunningServer> {
  makeStorage(app.config.notebookStorageDir);
  const examplesFolder = examplesDir(resourceDir);
  if (await areEditedInPlace(examplesFolder)) {
    app.grant(examplesFolder);
    await app.trust(examplesFolder);
  }
  return startServer(
    {
      config: app.config,
      sessions: app.sessions,
      builds: app.builds,
      registry: app.registry,
      dataPlane: app.dataPlane,
      remoteStore: app.remoteStore,
      cellClients: app.cellClients,
      serverWorkers: app.serverWorkers,
      tables,
      examples: createExamples({ dir: examplesFolder, storageDir: app.config.notebookStorageDir }),
      pythonVersions: app.pythonVersions,
      version: VERSION,
      log: app.log,
      tracing: app.tracing,
      recentLog: app.recentLog,
      rendererDir: rendererDir(),
    },
    start,
  );
}

/** Removes uploads, incomplete and half-deleted notebooks of processes that were killed, in the background. */
function sweepLitter({ log }: App, roots: readonly string[]): void {
  sweepOwned(roots, [UPLOAD_PREFIX, NEW_PREFIX, DOOMED_PREFIX]).then(
    (removed) => {
      if (removed.length > 0) log.info({ removed }, 'removed leftovers of a killed server');
    },
    (error: unknown) => log.warn({ err: error }, 'could not remove leftovers of a killed server'),
  );
}

/** @throws ConfigError if it cannot be created */
function makeStorage(dir: string): void {
  try {
    makeFolders(dir);
  } catch (error) {
    if (errnoOf(error) === null || !(error instanceof Error)) throw error;
    throw new ConfigError(
      `SVC_NOTEBOOK_STORAGE_DIR: the folder ${dir} cannot be created: ${error.message}. Set it to a folder that exists or can be created.`,
      'SVC_NOTEBOOK_STORAGE_DIR',
    );
  }
}
