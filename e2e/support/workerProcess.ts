/** Starts `svc worker` in a process of its own, for tests and benchmarks. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT_ROOT } from './serverProcess.ts';

/** A real `svc worker` in its own process. */
export interface WorkerProcess {
  readonly url: string;
  readonly pid: number;
  stderr(): string;
  /** Ends the worker and waits. @returns its exit code; null after a signal */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface WorkerProcessOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** By default the built `svc worker`. */
  readonly command?: readonly string[];
}

export async function startWorkerProcess(options: WorkerProcessOptions = {}): Promise<WorkerProcess> {
  const {
    command = [process.execPath, join(PROJECT_ROOT, 'dist/svc.mjs'), 'worker'],
    args = [],
    env = {},
  } = options;
  const [file = '', ...rest] = command;
  const child = spawn(file, [...rest, '--port', '0', ...args], {
    env: { ...process.env, SVC_WORKER_PYTHON: process.env['CELLAR_TEST_PYTHON'] ?? 'python3', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-64 * 1024);
  });
  const url = await urlOf(child, () => stderr);
  return {
    url,
    pid: child.pid ?? -1,
    stderr: () => stderr,
    stop: (signal = 'SIGTERM') =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done(child.exitCode);
        child.once('exit', (code) => done(code));
        child.kill(signal);
      }),
  };
}

function urlOf(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`svc worker ended (${code}): ${stderr()}`)));
    if (child.stdout === null) return fail(new Error('svc worker has no stdout'));
    createInterface(child.stdout).on('line', (line) => {
      const port = /http:\/\/\S+:(\d+)$/.exec(line)?.[1];
      if (port !== undefined) done(`http://127.0.0.1:${port}`);
    });
  });
}
