/** Starts a worker in the background on its machine, for a client that connected over SSH. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { endWorker } from './endWorker.ts';
import { startOf } from './processStart.ts';
import { type LaunchedPaths, removeLaunchRecord, saveLaunchRecord } from './record.ts';

interface LaunchOptions {
  /** The worker's name on this machine. */
  readonly name: string;
  /** How long the worker stays without a keeper. */
  readonly graceMs: number;
  /** The program to start with the Node that runs this. */
  readonly program: string;
  /** The port; 0: the system chooses. */
  readonly port: number;
  readonly launchId: string;
  readonly token: string;
}

export type LaunchAnswer =
  | { readonly ok: true; readonly pid: number; readonly port: number }
  | {
      readonly ok: false;
      readonly trouble: 'port_taken' | 'disk_full' | 'worker_ended';
      readonly said: string;
    };

const START_MS = 30_000;
/** The client has at least this long to connect to a new worker, even with a shorter grace period. */
const FIRST_MS = 60_000;
const MAX_LOG_TAIL = 2_000;

/**
 * Starts a worker that outlives this process, and ends a running one of the same name first. It gets its credentials
 * through its environment, which it clears itself; they are in no argument and in no file.
 */
export async function startWorker(paths: LaunchedPaths, options: LaunchOptions): Promise<LaunchAnswer> {
  const { name, program, port, launchId, token, graceMs } = options;
  await endWorker(paths);
  const log = await open(paths.log, 'w', 0o600);
  const child = spawn(process.execPath, [program, '--host', '127.0.0.1', '--port', String(port)], {
    detached: true,
    // Only the line with the address is read from stdout; the worker logs to stderr.
    stdio: ['ignore', 'pipe', log.fd],
    env: { ...process.env, SVC_WORKER_LAUNCH_ID: launchId, SVC_WORKER_TOKEN: token },
  });
  await log.close();
  const { stdout } = child;
  if (stdout === null) throw new Error('the worker has no stdout');
  const lines = createInterface(stdout);
  const listening = new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      const port = /http:\/\/\S+:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), START_MS);
  const actualPort = await Promise.race([
    listening,
    once(child, 'exit').then(() => null),
    once(late.signal, 'abort').then(() => null),
  ]);
  clearTimeout(timer);
  if (actualPort === null) {
    child.kill('SIGKILL');
    await removeLaunchRecord(paths);
    const log = await logTail(paths);
    return {
      ok: false,
      trouble: /EADDRINUSE|port \d+ is in use/.test(log) ? 'port_taken' : 'worker_ended',
      said: log,
    };
  }
  const pid = child.pid ?? 0; // defined: the process has printed its address
  await saveLaunchRecord(paths, { pid, port: actualPort, launch_id: launchId, started: await startOf(pid) });
  child.unref();
  stdout.destroy();
  // Ends the worker if its client does not connect, and until then protects it.
  const keeper = [program, 'launched', 'keep', name, launchId, String(Math.max(graceMs, FIRST_MS))];
  spawn(process.execPath, keeper, { detached: true, stdio: 'ignore' }).unref();
  return { ok: true, pid, port: actualPort };
}

/** The end of a worker's log. */
export async function logTail({ log }: Pick<LaunchedPaths, 'log'>, maxChars = MAX_LOG_TAIL): Promise<string> {
  return (await readFile(log, 'utf8').catch(() => '')).trim().slice(-maxChars);
}
