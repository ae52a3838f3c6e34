/**
 * The server that process tests share if they need no server of their own: one for each worker thread of the test
 * runner, which runs its files one after another with the same modules. Each file has its own folder in it.
 */

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rest } from './rest.ts';
import { type ServerProcess, startServerProcess } from './serverProcess.ts';

/** The variable with the folder of all shared servers of a run, which holds a file of their process ids. */
const FOLDER = 'CELLAR_SHARED_SERVERS';
const LIST = 'pids';

/** A server without options, and a folder of the file's own that it may open. */
export interface PlainServer {
  readonly server: ServerProcess;
  readonly root: string;
}

interface Shared {
  readonly server: ServerProcess;
  /** Contains the folders of the files. */
  readonly home: string;
  /** Contains `home` and the server's storage. */
  readonly parent: string;
  /** How much of the log the files before this one have caused. */
  seen: number;
  hasFailed: boolean;
}

let shared: Promise<Shared> | null = null;

/** Starts the shared server unless it runs. The caller's `server.dispose` leaves it, and only that may end it. */
export async function plainServer(prefix: string): Promise<PlainServer> {
  shared ??= start();
  const { server, home } = await shared;
  const root = await mkdtemp(join(home, prefix));
  const stop = (): never => {
    throw new Error('other tests need this server: start one with startServerProcess');
  };
  return { root, server: { ...server, stop, dispose: leave } };
}

async function start(): Promise<Shared> {
  const folder = process.env[FOLDER] ?? tmpdir();
  const parent = await mkdtemp(join(folder, 'cellar-shared-'));
  const home = join(parent, 'home');
  await mkdir(home);
  const server = await startServerProcess({ grants: [home], storageDir: join(parent, 'storage') });
  if (process.env[FOLDER] !== undefined) appendFileSync(join(folder, LIST), `${server.pid}\n`);
  return { server, home, parent, seen: 0, hasFailed: false };
}

/** Closes every session. If one cannot be closed or a test failed, the next file gets a new server. */
async function leave(): Promise<void> {
  if (shared === null) return;
  const one = await shared;
  one.seen = one.server.stderr().length;
  if (!one.hasFailed && (await closeSessions(one.server.url).catch(() => false))) return;
  shared = null;
  await one.server.stop();
  await rm(one.parent, { recursive: true, force: true });
}

async function closeSessions(url: string): Promise<boolean> {
  const { body } = await rest<{ sessions: { session_id: string }[] }>(url, 'GET', '/v1/notebooks/sessions');
  for (const { session_id } of body.sessions) {
    const { status } = await rest(url, 'POST', `/v1/notebooks/${session_id}/close`);
    if (status !== 200) return false;
  }
  return true;
}

/** What the shared server of this thread has logged for the current file; null without one. Called after a failure. */
export async function logAfterFailure(): Promise<string | null> {
  if (shared === null) return null;
  const one = await shared;
  one.hasFailed = true;
  const log = one.server.stderr();
  // Only the end of a long log is there.
  return log.slice(log.length > one.seen ? one.seen : 0);
}

/** Vitest calls this before the first file of a run. */
export function setup(): void {
  const folder = mkdtempSync(join(tmpdir(), 'cellar-shared-servers-'));
  process.env[FOLDER] = folder;
  // Also when a signal ends the run. The servers are children of this process, which none of them outlives.
  process.once('exit', () => endAll(folder));
}

/** Vitest calls this after the last file, when the worker threads have ended. */
export function teardown(): void {
  const folder = process.env[FOLDER];
  if (folder !== undefined) endAll(folder);
}

/** Ends the servers that are still running and removes their folders. */
function endAll(folder: string): void {
  const list = join(folder, LIST);
  const pids = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n').map(Number) : [];
  for (const pid of pids.filter(isOurs)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Whether a process is a child of this one: a server that has ended may have lent its id to another process. */
function isOurs(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout) === process.pid;
}
