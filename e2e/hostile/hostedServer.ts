/** Starts the built server of the desktop app for tests of hostile input, and talks to it as the shell does. */

import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  LAUNCH_TOKEN_HEADER,
  readServerMessage,
  type ServerToShell,
  type ShellToServer,
} from '../../src-shared/shell/handshake.ts';
import { COMPILED_HERE, PROJECT_ROOT } from '../support/serverProcess.ts';

/** The server of the desktop app, driven by messages on the channel of its process and by HTTP. */
export interface HostedServer {
  readonly pid: number;
  readonly storageDir: string;
  /** The folder for the app's own data. */
  readonly cacheDir: string;
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly open: (path: string) => Promise<Response>;
  readonly grant: (root: string) => Promise<void>;
  readonly trust: (root: string) => Promise<void>;
  /** Ends the server and removes its files. */
  readonly dispose: () => Promise<void>;
}

const TOKEN = 't'.repeat(43);

export async function startHostedServer(
  options: { readonly trusted?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<HostedServer> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'cellar-app-')));
  const storageDir = join(home, 'notebooks');
  const cacheDir = join(home, 'cache');
  mkdirSync(storageDir);
  const child = fork(join(PROJECT_ROOT, 'dist/hosted.mjs'), {
    cwd: home,
    env: {
      ...process.env,
      ...COMPILED_HERE,
      HOME: home,
      SVC_NOTEBOOK_STORAGE_DIR: storageDir,
      SVC_CACHE_DIR: cacheDir,
      SVC_ARTIFACT_DIR: join(home, 'artifacts'),
      ...options.env,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const heard = <T extends ServerToShell['type']>(
    type: T,
    is: (message: Extract<ServerToShell, { type: T }>) => boolean = () => true,
  ): Promise<Extract<ServerToShell, { type: T }>> =>
    new Promise((resolve, reject) => {
      const over = (): void => reject(new Error(`the server ended before it sent ${type}`));
      const listener = (data: unknown): void => {
        const message = readServerMessage(data);
        if (message?.type !== type) return;
        const one = message as Extract<ServerToShell, { type: T }>; // the type was checked above
        if (!is(one)) return;
        child.off('message', listener).off('exit', over);
        resolve(one);
      };
      child.on('message', listener).once('exit', over);
    });
  const say = (message: ShellToServer): void => void child.send(message);
  const listening = heard('listening');
  say({ type: 'start', token: TOKEN, roots: [], trusted: options.trusted ?? [], port: 0, resources: null });
  const { port } = await listening;
  let next = 1;
  const told = async (type: 'grant' | 'trust', root: string): Promise<void> => {
    const id = next++;
    const answer = heard('granted', (message) => message.id === id);
    say({ type, id, root });
    await answer;
  };
  const ask: HostedServer['ask'] = (path, init = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: {
        ...(typeof init.body === 'string' ? { 'content-type': 'application/json' } : {}),
        [LAUNCH_TOKEN_HEADER]: TOKEN,
      },
    });
  return {
    pid: child.pid ?? -1,
    storageDir,
    cacheDir,
    ask,
    open: (path) => ask('/v1/notebooks/open', { method: 'POST', body: JSON.stringify({ path }) }),
    grant: (root) => told('grant', root),
    trust: (root) => told('trust', root),
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) say({ type: 'stop' });
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
