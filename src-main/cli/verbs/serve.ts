import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError } from '../../config/configError.ts';
import type { Config } from '../../config/variables.ts';
import { startServer } from '../../server/startServer.ts';
import { createTableService } from '../../table/tableService.ts';
import { guarded, parseArguments, UsageError } from '../arguments.ts';
import { composeApp, rendererDir, VERSION } from '../composeApp.ts';

/** `svc serve`: runs until SIGINT or SIGTERM, then drains; a second signal ends it at once. */
export function serve(args: readonly string[]): Promise<number> {
  return guarded(async () => {
    const { values, positionals } = parseArguments(args, {
      port: { type: 'string' },
      host: { type: 'string' },
      grant: { type: 'string', multiple: true },
      open: { type: 'string' },
    });
    if (positionals.length > 0) throw new UsageError(`svc serve takes no ${positionals[0]}`);
    const overrides: { -readonly [K in keyof Config]?: Config[K] } = {};
    if (values.host !== undefined) overrides.host = values.host;
    try {
      return await runServer({
        overrides,
        port: portOf(values.port),
        grants: (values.grant ?? []).map((dir) => resolve(dir)),
        open: values.open === undefined ? null : resolve(values.open),
      });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 2;
    }
  });
}

/** `--port 0` lets the system choose; without `--port` a busy configured port is stepped over. */
function portOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port is 0 to 65535, not ${text}`);
  return port;
}

interface ServeOptions {
  readonly overrides: Partial<Config>;
  readonly port: number | null;
  readonly grants: readonly string[];
  readonly open: string | null;
}

async function runServer(options: ServeOptions): Promise<number> {
  const app = await composeApp({ overrides: options.overrides, grants: options.grants });
  await mkdir(app.config.notebookStorageDir, { recursive: true });
  const tables = createTableService();
  const server = await startServer(
    {
      config: app.config,
      sessions: app.sessions,
      tables,
      pythonVersions: app.pythonVersions,
      version: VERSION,
      log: app.log,
      rendererDir: rendererDir(),
    },
    options.port === null ? { whenBusy: 'next' } : { port: options.port },
  );
  const page = options.open === null ? '' : `#/open?path=${encodeURIComponent(options.open)}`;
  process.stdout.write(`Cellar is at ${server.url}${page}\n`);
  await signalled();
  await server.close();
  await tables.close();
  await app.close();
  return 0;
}

function signalled(): Promise<void> {
  return new Promise((done) => {
    const stop = (): void => {
      process.once('SIGINT', () => process.exit(130));
      process.once('SIGTERM', () => process.exit(143));
      done();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
