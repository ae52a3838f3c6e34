/** Parses the target of a command (a notebook folder, or a session of a server) and opens the notebook there. */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { errnoOf } from '../../lib/atomicFile.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { JSON_FORMAT, type OptionTable, UsageError } from '../arguments.ts';
import { launchTokenPath } from '../serverFile.ts';
import { createRestCaller, type RestCaller } from './restCaller.ts';

/** The options that name a running server by its URL, and one of its sessions. */
export const SERVER_OPTIONS = {
  server: { type: 'string', takes: 'URL', says: 'A running server, such as http://127.0.0.1:8765.' },
  session: { type: 'string', takes: 'ID', says: 'An open notebook of that server.' },
  'token-file': {
    type: 'string',
    takes: 'FILE',
    says: 'File with the launch token of the server, if it needs one.',
  },
} as const satisfies OptionTable;

/** How a target is given. */
export const TARGET_USAGE = '(DIR | --server URL --session ID)';

/** The options of every command on a notebook: its folder, or a session of a running server. */
export const TARGET_OPTIONS = {
  ...SERVER_OPTIONS,
  author: {
    type: 'string',
    takes: 'NAME',
    says: 'Name shown as the author of changes, on servers without sign-in.',
  },
  'no-sync': { type: 'boolean', default: false, says: 'Do not sync the environment first.' },
  format: JSON_FORMAT,
} as const satisfies OptionTable;

interface TargetValues {
  readonly server?: string | undefined;
  readonly session?: string | undefined;
  readonly 'token-file'?: string | undefined;
}

/** The location of a notebook: its folder, or a session of a running server (docs/spec/command-line.md, 1: TGT). */
export type Place =
  | { readonly kind: 'folder'; readonly dir: NotebookFolder }
  | { readonly kind: 'server'; readonly url: URL; readonly session: string; readonly token: string | null };

/** An open notebook, accessed over REST whether it is local or remote. */
export interface Target extends Pick<RestCaller, 'call' | 'open'> {
  readonly kind: Place['kind'];
  readonly sid: string;
  close(): Promise<void>;
}

/**
 * The target of a command, and the arguments after it.
 * @throws UsageError if it is neither a folder nor a session, or only half of one
 */
export async function placeOf(
  values: TargetValues,
  positionals: readonly string[],
): Promise<{ readonly place: Place; readonly rest: readonly string[] }> {
  const { server, session } = values;
  if (server === undefined && session === undefined) {
    const [dir, ...rest] = positionals;
    if (dir === undefined) throw new UsageError('name a notebook folder, or --server URL --session ID');
    return { place: { kind: 'folder', dir: notebookFolder(resolve(dir)) }, rest };
  }
  if (server === undefined || session === undefined)
    throw new UsageError('--server and --session must be used together');
  const url = serverUrl(server);
  const token = await tokenFor(url, values['token-file']);
  return { place: { kind: 'server', url, session, token }, rest: positionals };
}

/** Parses the value of `--server`. @throws UsageError if it is not an http:// or https:// URL */
export function serverUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new UsageError(`--server must be an address like http://127.0.0.1:8765, not ${text}`);
  return url;
}

/**
 * The launch token for a server: from the given file, else the one that a server of this user on this machine stored
 * for the user's own programs. @throws UsageError
 */
export async function tokenFor(url: URL, file: string | undefined): Promise<string | null> {
  if (file !== undefined) return tokenIn(file);
  if (!/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname) || url.port === '') return null;
  const stored = await readFile(launchTokenPath(homedir(), Number(url.port)), 'utf8').catch(
    (error: unknown) => {
      if (errnoOf(error) === null) throw error;
      return '';
    },
  );
  return stored.trim() || null;
}

/** The launch token in a file. @throws UsageError if it cannot be read */
async function tokenIn(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (errnoOf(error) === null || !(error instanceof Error)) throw error;
    throw new UsageError(`--token-file: ${error.message}`);
  }
}

/**
 * Opens a target. A folder is served to this process only, on loopback with a token that no other program has, so that
 * folders and sessions are accessed in the same way.
 * @throws CallError if the notebook cannot be opened or the session does not exist
 */
export async function openTarget(place: Place): Promise<Target> {
  if (place.kind === 'server') {
    const caller = createRestCaller(place.url, place.token);
    return targetOf(caller, { kind: 'server', sid: place.session, close: async () => {} });
  }
  // For a remote server, do not load the local one: it is nine tenths of the code that a command would load.
  const { startServedApp } = await import('../servedApp.ts');
  const token = randomBytes(32).toString('base64url');
  const app = await startServedApp({
    overrides: { host: '127.0.0.1', publicBasePath: '', logLevel: 'ERROR' },
    grants: [place.dir],
    warmsForWorkOnly: true,
    start: { port: 0, launchToken: token },
  });
  try {
    const caller = createRestCaller(new URL(app.url), token);
    const { session_id: sid } = await caller.call('openNotebook', { body: { path: place.dir } });
    return targetOf(caller, { kind: 'folder', sid, close: () => app.close() });
  } catch (error) {
    await app.close();
    throw error;
  }
}

function targetOf(caller: RestCaller, facts: Pick<Target, 'kind' | 'sid' | 'close'>): Target {
  return { ...facts, call: caller.call, open: caller.open };
}
