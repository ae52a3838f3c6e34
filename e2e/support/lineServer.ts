/** Starts a program that is a server and prints its URL, for fakes written in Python. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that runs a server on this machine until it is stopped. */
export interface LineServer {
  /** The line that announced that it listens. */
  readonly line: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a server that prints its URL to stdout, and ends when its input ends or at SIGTERM.
 * @param wanted matches the line with the URL; by default the first line
 */
export async function startLineServer(
  command: readonly [string, ...string[]],
  options: { readonly wanted?: RegExp; readonly endsBy: 'input' | 'SIGTERM' },
): Promise<LineServer> {
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const line = await lineOf(child, options.wanted ?? /^/);
  return {
    line,
    pid: child.pid ?? -1,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        if (options.endsBy === 'input') child.stdin?.end();
        else child.kill('SIGTERM');
        // Kills a process that hangs.
        setTimeout(() => child.kill('SIGKILL'), 2_000).unref();
      }),
  };
}

function lineOf(child: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null || child.stderr === null) return reject(new Error('a server has no output'));
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4096);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (wanted.test(line)) resolve(line);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`a server ended (${code}) before it listened: ${output}`)));
  });
}
