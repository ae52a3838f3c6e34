import { mkdir } from 'node:fs/promises';
import { areInPlace, createExamples } from '../notebook/examples.ts';
import { type StartOptions, startServer } from '../server/startServer.ts';
import { createTableService } from '../table/tableService.ts';
import { type AppOptions, composeApp, examplesDir, rendererDir, VERSION } from './composeApp.ts';

export interface ServedOptions extends AppOptions {
  readonly start: StartOptions;
}

/** One whole server with everything behind it: what `svc serve` runs and what the desktop app starts. */
export interface ServedApp {
  readonly port: number;
  readonly url: string;
  /** See `App.grant`. */
  readonly grant: (root: string) => void;
  /** See `App.trust`. */
  readonly trust: (root: string) => void;
  /** See `App.network`. */
  readonly network: (variables: Readonly<Record<string, string>>) => void;
  /** Names of the open notebooks in which something runs. */
  readonly running: () => readonly string[];
  /** Drains, ends the sessions and everything they started. */
  close(): Promise<void>;
}

/** @throws ConfigError, or Error when the port is taken */
export async function startServedApp({ start, ...options }: ServedOptions): Promise<ServedApp> {
  const app = await composeApp(options);
  await mkdir(app.config.notebookStorageDir, { recursive: true });
  const tables = createTableService();
  const examplesFolder = examplesDir(options.resourceDir ?? null);
  if (await areInPlace(examplesFolder)) {
    app.grant(examplesFolder);
    app.trust(examplesFolder);
  }
  const server = await startServer(
    {
      config: app.config,
      sessions: app.sessions,
      builds: app.builds,
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
  return {
    port: server.port,
    url: server.url,
    grant: app.grant,
    trust: app.trust,
    network: app.network,
    running: () =>
      app.sessions
        .list()
        .filter((session) => session.cells().some(({ status }) => status === 'running'))
        .map((session) => session.body().name),
    async close() {
      await server.close();
      await tables.close();
      await app.close();
    },
  };
}
