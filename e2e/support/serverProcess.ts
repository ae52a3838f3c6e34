/** Starts the built program as `svc serve` in its own process, for tests and benchmarks. */

import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const PROGRAM = join(PROJECT_ROOT, 'dist/svc.mjs');
/** Puts the program's compile cache beside the checkout's other caches, not into the home directory. */
export const COMPILED_HERE = { NODE_COMPILE_CACHE: join(PROJECT_ROOT, '.cache/compile') };

export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL';

/** A running `svc serve` with its own storage folder. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly storageDir: string;
  /** Everything that the server has printed so far. */
  stdout(): string;
  /** Milliseconds from spawn until the server announced its URL. */
  readonly startMs: number;
  stderr(): string;
  /** Sends a signal, SIGTERM by default, and waits for the end. Idempotent. */
  stop(signal?: StopSignal): Promise<void>;
  /** The exit code; null after a signal and while the server runs. */
  exitCode(): number | null;
  /** Whether the server has ended, also by a signal. */
  hasEnded(): boolean;
  /** Stops the server and removes its storage folder. */
  dispose(): Promise<void>;
}

export interface ServerOptions {
  /** Another copy of the built program. */
  readonly program?: string;
  readonly storageDir?: string;
  readonly port?: number;
  readonly grants?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments of `svc serve`. */
  readonly args?: readonly string[];
  /** Runs as an ordinary user even if the tests run as root, because nothing is forbidden to root. */
  readonly ordinaryUser?: boolean;
}

/** The ordinary user for tests that run as root. */
export const NOBODY = 65_534;
/** The user to run as; null if the tests already run as an ordinary user. */
export const ordinaryUser: { readonly uid: number; readonly gid: number } | null =
  userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : null;

export async function startServerProcess(options: ServerOptions = {}): Promise<ServerProcess> {
  const program = options.program ?? PROGRAM;
  const storageDir = options.storageDir ?? (await mkdtemp(join(tmpdir(), 'cellar-e2e-')));
  await mkdir(storageDir, { recursive: true });
  const user = options.ordinaryUser === true ? ordinaryUser : null;
  if (user !== null) await chown(storageDir, user.uid, user.gid);
  const grants = (options.grants ?? []).flatMap((dir) => ['--grant', dir]);
  const startedAt = performance.now();
  const args = ['serve', '--port', String(options.port ?? 0), ...grants, ...(options.args ?? [])];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: storageDir,
    env: {
      ...process.env,
      ...COMPILED_HERE,
      SVC_RATE_LIMIT_ENABLED: 'false',
      // The default of 5 s may not be enough on a loaded machine.
      SVC_NOTEBOOK_R_NAMES_TIMEOUT_SECONDS: '60',
      SVC_NOTEBOOK_STORAGE_DIR: storageDir,
      SVC_ARTIFACT_DIR: join(storageDir, '.artifacts'),
      SVC_METADATA_DB: join(storageDir, '.meta.sqlite'),
      ...(user === null ? {} : { HOME: storageDir, UV_CACHE_DIR: join(storageDir, '.uv-cache') }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-64 * 1024);
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const url = await readUrl(child, () => stderr);
  const stop = (signal: StopSignal = 'SIGTERM') => ended(child, signal);
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? -1,
    storageDir,
    startMs: performance.now() - startedAt,
    stdout: () => stdout,
    stderr: () => stderr,
    stop,
    exitCode: () => child.exitCode,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async dispose() {
      await stop();
      await rm(storageDir, { recursive: true, force: true });
    },
  };
}

function readUrl(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) =>
      reject(new Error(`svc serve ended (${code ?? signal}): ${stderr()}`)),
    );
    if (child.stdout === null) return reject(new Error('svc serve has no stdout'));
    createInterface(child.stdout).on('line', (line) => {
      const match = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (match) resolve(match[0]);
    });
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
