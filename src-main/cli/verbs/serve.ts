/** The command `svc serve`: runs the server until a signal stops it. */

import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { MIN_TOKEN_LENGTH } from '../../../src-shared/shell/handshake.ts';
import { ConfigError } from '../../config/configError.ts';
import { keysVisibleInParent } from '../../config/serverEnvironment.ts';
import type { Config } from '../../config/variables.ts';
import { countBuffersAsMemory } from '../../lib/bulkMemory.ts';
import { defineCommand, UsageError } from '../arguments.ts';
import { launchTokenPath, writeOwnFile } from '../serverFile.ts';
import { whoCanReach } from '../whoCanReach.ts';

/** `svc serve`: runs until SIGINT, SIGTERM or SIGHUP, then drains; a second signal ends it at once. */
export const serve = defineCommand({
  usage: '',
  options: {
    port: { type: 'string', takes: 'N', says: 'Port to listen on; 0 picks a free port.' },
    host: { type: 'string', takes: 'H', says: 'Address to listen on.' },
    grant: {
      type: 'string',
      multiple: true,
      takes: 'DIR',
      says: 'Also allow notebooks below this folder.',
    },
    open: { type: 'string', takes: 'DIR', says: 'Make the printed address open this notebook.' },
    token: {
      type: 'boolean',
      default: false,
      says: 'Accept only requests with a token. The printed address lets one browser in.',
    },
    'allow-other-users': {
      type: 'boolean',
      default: false,
      says: 'Accept requests of all users of this machine, not only yours.',
    },
    'visible-folder': {
      type: 'boolean',
      default: false,
      says: 'Create new notebooks in ~/Cellar if SVC_NOTEBOOK_STORAGE_DIR is not set.',
    },
    'token-file': { type: 'string', takes: 'FILE', says: 'Like --token, with the token in this file.' },
  },
  async run({ values, positionals }) {
    if (positionals.length > 0) throw new UsageError(`unexpected argument \`${positionals[0]}\``);
    const overrides: { -readonly [K in keyof Config]?: Config[K] } = {};
    if (values.host !== undefined) overrides.host = values.host;
    try {
      return await runServer({
        overrides,
        port: portOf(values.port),
        grants: (values.grant ?? []).map((dir) => resolve(dir)),
        open: values.open === undefined ? null : resolve(values.open),
        launchToken: (await tokenIn(values['token-file'])) ?? (values.token ? newToken() : null),
        allowOtherUsers: values['allow-other-users'],
        visibleFolder: values['visible-folder'],
      });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      process.stderr.write(`svc: ${error.message}\n`);
      return 2;
    }
  },
});

/** `--port 0` lets the system choose; without `--port` a configured port that is in use is skipped. */
function portOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port must be 0 to 65535, not ${text}`);
  return port;
}

/** A token comes from a file: an argument would be visible to everyone who lists processes. */
async function tokenIn(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  const token = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--token-file: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (token.trim().length < MIN_TOKEN_LENGTH) {
    throw new UsageError(`--token-file ${file} has fewer than ${MIN_TOKEN_LENGTH} characters`);
  }
  return token.trim();
}

interface ServeOptions {
  readonly overrides: Partial<Config>;
  readonly port: number | null;
  readonly grants: readonly string[];
  readonly open: string | null;
  readonly launchToken: string | null;
  readonly allowOtherUsers: boolean;
  readonly visibleFolder: boolean;
}

async function runServer(options: ServeOptions): Promise<number> {
  const { launchToken, allowOtherUsers } = options;
  const page = options.open === null ? '' : `#/open?path=${encodeURIComponent(options.open)}`;
  let warning: string | null = null;
  // The whole server: help and wrong usage do without it [AR-63].
  const { startServedApp } = await import('../servedApp.ts');
  // After loading: other commands cannot use code that was compiled under another setting of the engine [CL-13].
  countBuffersAsMemory();
  const served = await startServedApp({
    overrides: options.overrides,
    grants: options.grants,
    visibleFolder: options.visibleFolder,
    start: {
      ...(options.port === null ? { whenBusy: 'next' } : { port: options.port }),
      ...(launchToken === null ? {} : { launchToken, onTicketSpent: (url) => showAddress(`${url}${page}`) }),
    },
    peers: async ({ host }) => {
      const reach = await whoCanReach({ host, allowOtherUsers, hasToken: launchToken !== null });
      warning = reach.warning;
      return reach.peers;
    },
  });
  const tokenFile = launchToken === null ? null : launchTokenPath(homedir(), served.port);
  if (tokenFile !== null && launchToken !== null) await writeOwnFile(tokenFile, `${launchToken}\n`);
  if (warning !== null) process.stderr.write(`svc: ${warning}\n`);
  const visibleKeys = keysVisibleInParent();
  if (visibleKeys.length > 0) {
    process.stderr.write(
      `svc: the process that started this server (${process.ppid}) still shows ${visibleKeys.join(', ')} to cells of this user; start the server with \`exec\`, or from a service that reads its keys from a file\n`,
    );
  }
  // Before the URL is printed: its reader may stop the server at once.
  const stopped = signalled();
  showAddress(`${served.ticketUrl()}${page}`);
  await stopped;
  if (tokenFile !== null) await rm(tokenFile, { force: true });
  await served.close();
  setTimeout(() => process.exit(0), LEFTOVER_MS).unref();
  return 0;
}

function showAddress(url: string): void {
  process.stdout.write(`Cellar is at ${url}\n`);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Exit codes of a second signal. SIGHUP (a closed terminal) drains too, so that unsaved state is saved. */
const END_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** After closing: work that still hangs then (a disk that does not answer) is abandoned. */
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
