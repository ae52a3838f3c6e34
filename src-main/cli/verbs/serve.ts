import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LEAST_TOKEN_LENGTH } from '../../../src-shared/shell/handshake.ts';
import { ConfigError } from '../../config/configError.ts';
import { keysTheParentShows } from '../../config/serverEnvironment.ts';
import type { Config } from '../../config/variables.ts';
import { countBuffersAsMemory } from '../../lib/bulkMemory.ts';
import { command, UsageError } from '../arguments.ts';
import { startServedApp } from '../servedApp.ts';

/** `svc serve`: runs until SIGINT, SIGTERM or SIGHUP, then drains; a second signal ends it at once. */
export const serve = command({
  usage: '',
  options: {
    port: { type: 'string', takes: 'N', says: 'Port to listen on; 0 lets the system choose.' },
    host: { type: 'string', takes: 'H', says: 'Address to listen on.' },
    grant: {
      type: 'string',
      multiple: true,
      takes: 'DIR',
      says: 'Notebooks below this folder may be opened, too.',
    },
    open: { type: 'string', takes: 'DIR', says: 'The address that is shown opens this notebook.' },
    'token-file': { type: 'string', takes: 'FILE', says: 'Answer only requests that carry the token in it.' },
  },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new UsageError(`svc serve takes no ${positionals[0]}`);
    const overrides: { -readonly [K in keyof Config]?: Config[K] } = {};
    if (values.host !== undefined) overrides.host = values.host;
    countBuffersAsMemory();
    try {
      return await runServer({
        overrides,
        port: portOf(values.port),
        grants: (values.grant ?? []).map((dir) => resolve(dir)),
        open: values.open === undefined ? null : resolve(values.open),
        launchToken: await tokenIn(values['token-file']),
      });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 2;
    }
  },
});

/** `--port 0` lets the system choose; without `--port` a busy configured port is stepped over. */
function portOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port is 0 to 65535, not ${text}`);
  return port;
}

/** A token comes by a file: an argument would show it to everybody who lists processes. */
async function tokenIn(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  const token = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--token-file: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (token.trim().length < LEAST_TOKEN_LENGTH) {
    throw new UsageError(`--token-file ${file} holds fewer than ${LEAST_TOKEN_LENGTH} characters`);
  }
  return token.trim();
}

interface ServeOptions {
  readonly overrides: Partial<Config>;
  readonly port: number | null;
  readonly grants: readonly string[];
  readonly open: string | null;
  readonly launchToken: string | null;
}

async function runServer(options: ServeOptions): Promise<number> {
  const served = await startServedApp({
    overrides: options.overrides,
    grants: options.grants,
    start: {
      ...(options.port === null ? { whenBusy: 'next' } : { port: options.port }),
      ...(options.launchToken === null ? {} : { launchToken: options.launchToken }),
    },
  });
  const page = options.open === null ? '' : `#/open?path=${encodeURIComponent(options.open)}`;
  const shown = keysTheParentShows();
  if (shown.length > 0) {
    process.stderr.write(
      `svc: the process that started this server (${process.ppid}) still shows ${shown.join(', ')} to cells of this user; start the server with \`exec\`, or from a service that reads its keys from a file\n`,
    );
  }
  process.stdout.write(`Cellar is at ${served.url}${page}\n`);
  await signalled();
  await served.close();
  setTimeout(() => process.exit(0), LEFTOVER_MS).unref();
  return 0;
}

/** Exit codes of a second signal. A closed terminal (SIGHUP) is no reason to lose what is not saved yet. */
const END_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** After closing: what still hangs then (a disk that does not answer) is not waited for. */
const LEFTOVER_MS = 1_000;

function signalled(): Promise<void> {
  return new Promise((done) => {
    let stopping = false;
    for (const [signal, code] of Object.entries(END_CODES)) {
      process.on(signal, () => {
        if (stopping) process.exit(code);
        stopping = true;
        done();
      });
    }
  });
}
