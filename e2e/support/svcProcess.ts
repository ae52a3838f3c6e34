/** Starts a command of `svc` in a process of its own, for tests. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROJECT_ROOT } from './serverProcess.ts';

/** A real command of `svc` in its own process, which may print its URL. */
export interface SvcProcess {
  /** The first line on stdout; rejects if the process ends before it. */
  readonly firstLine: Promise<string>;
  readonly exited: Promise<number | null>;
  stderr(): string;
  /** Resolves when stderr contains these words. */
  said(words: string): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** @param inside words before the command, to run it in a namespace */
export function startSvc(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  inside: readonly string[] = [],
): SvcProcess {
  const [file = '', ...rest] = [...inside, process.execPath, join(PROJECT_ROOT, 'dist/svc.mjs'), ...args];
  const child = spawn(file, rest, {
    env: { ...process.env, SVC_WORKER_PYTHON: process.env['CELLAR_TEST_PYTHON'] ?? 'python3', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  let tell: (() => void)[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    const told = tell;
    tell = [];
    for (const one of told) one();
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const firstLine = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    void exited.then((code) => reject(new Error(`svc ${args[0]} ended (${code}): ${stderr}`)));
  });
  firstLine.catch(() => undefined);
  return {
    firstLine,
    exited,
    stderr: () => stderr,
    said: async (words) => {
      while (!stderr.includes(words)) await new Promise<void>((resolve) => tell.push(resolve));
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}
