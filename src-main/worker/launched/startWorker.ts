import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { endWorker } from './endWorker.ts';
import { startOf } from './processStart.ts';
import { dropRecord, keepRecord, type LaunchedPaths } from './record.ts';

export interface ToLaunch {
  /** What the worker is called on this machine. */
  readonly name: string;
  /** How long it stays when nobody comes to look after it. */
  readonly graceMs: number;
  /** The program that is started, by the Node that runs this. */
  readonly program: string;
  /** 0: the system chooses. */
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
/** Whoever asked for a worker has so long to reach it, however short a grace was asked for. */
const FIRST_MS = 60_000;
const MOST_SAID = 2_000;

/**
 * Starts a worker that outlives this process, in place of the one of that name that may still run. Its credentials go
 * by its environment, which it empties itself; they are in no argument and in no file.
 */
export async function startWorker(paths: LaunchedPaths, options: ToLaunch): Promise<LaunchAnswer> {
  const { name, program, port, launchId, token, graceMs } = options;
  await endWorker(paths);
  const log = await open(paths.log, 'w', 0o600);
  const child = spawn(process.execPath, [program, '--host', '127.0.0.1', '--port', String(port)], {
    detached: true,
    // One line of it is read; all else a worker says goes into its log.
    stdio: ['ignore', 'pipe', log.fd],
    env: { ...process.env, SVC_WORKER_LAUNCH_ID: launchId, SVC_WORKER_TOKEN: token },
  });
  await log.close();
  const { stdout } = child;
  if (stdout === null) throw new Error('the worker has no stdout');
  const lines = createInterface(stdout);
  const listening = new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      const told = /http:\/\/\S+:(\d+)$/.exec(line)?.[1];
      if (told !== undefined) resolve(Number(told));
    });
  });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), START_MS);
  const first = await Promise.race([
    listening,
    once(child, 'exit').then(() => null),
    once(late.signal, 'abort').then(() => null),
  ]);
  clearTimeout(timer);
  if (first === null) {
    child.kill('SIGKILL');
    await dropRecord(paths);
    const said = await saidLast(paths);
    return {
      ok: false,
      trouble: /EADDRINUSE|port \d+ is in use/.test(said) ? 'port_taken' : 'worker_ended',
      said,
    };
  }
  const pid = child.pid ?? 0; // it has spoken
  await keepRecord(paths, { pid, port: first, launch_id: launchId, started: await startOf(pid) });
  child.unref();
  stdout.destroy();
  // Until whoever asked for it holds on to it, and for good where they never do.
  const keeper = [program, 'launched', 'keep', name, launchId, String(Math.max(graceMs, FIRST_MS))];
  spawn(process.execPath, keeper, { detached: true, stdio: 'ignore' }).unref();
  return { ok: true, pid, port: first };
}

/** The end of a worker's log. */
export async function saidLast({ log }: Pick<LaunchedPaths, 'log'>, most = MOST_SAID): Promise<string> {
  return (await readFile(log, 'utf8').catch(() => '')).trim().slice(-most);
}
