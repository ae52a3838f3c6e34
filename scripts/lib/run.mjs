/** Runs child processes for the scripts, with their signals and output. */

import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './project.mjs';
import { streamsOf } from './stageOutput.mjs';

/** The environment of every child process: the checkout's own programs, Node 24 among them, come first on the PATH. */
export function childEnv(more = {}) {
  const bin = join(ROOT, 'node_modules', '.bin');
  const path = process.env.PATH ?? '';
  const PATH = path.split(delimiter).includes(bin) ? path : `${bin}${delimiter}${path}`;
  return { ...process.env, PATH, ...more };
}

/**
 * npm does not pass signals on when it ends, so this process checks for its parent and ends within half a second of it.
 */
const PARENT_LOOK_MS = 500;

/** Calls `end` once when the parent process has ended. @returns a function that stops polling */
export function whenParentGone(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

let interrupted = false;

/** True once a signal asked this script to end while a program ran: nothing else is started then. */
export function wasInterrupted() {
  return interrupted;
}

/**
 * Runs a program to its end with our own streams, or those of the test stage that runs. Ctrl-C reaches it through the
 * terminal, so we only wait; SIGTERM and SIGHUP are passed on.
 * @returns its exit code, 128 + n after signal n
 */
export async function run(file, args, { env = {}, cwd = ROOT, stdio = 'inherit', onSpawn } = {}) {
  const child = spawn(file, args, { cwd, stdio: streamsOf(stdio), env: childEnv(env) });
  onSpawn?.(child);
  const wait = () => {
    interrupted = true;
  };
  const handOn = (signal) => {
    interrupted = true;
    child.kill(signal);
  };
  const stopLooking = whenParentGone(() => handOn('SIGTERM'));
  process.on('SIGINT', wait);
  process.on('SIGTERM', handOn);
  process.on('SIGHUP', handOn);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + (SIGNALS[signal] ?? 1)));
    });
  } finally {
    stopLooking();
    process.off('SIGINT', wait);
    process.off('SIGTERM', handOn);
    process.off('SIGHUP', handOn);
  }
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };

/**
 * Runs a program quietly. `onErrorLine` gets each line of stderr as it arrives, and returns whether to store it.
 * @returns {code, stdout, stderr}; code null when it cannot be started
 */
export async function capture(file, args, { env = {}, cwd = ROOT, onErrorLine } = {}) {
  const child = spawn(file, args, { cwd, env: childEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8');
    child[name].on('data', (text) => {
      streams[name] += text;
    });
  }
  if (onErrorLine !== undefined) {
    child.stderr.removeAllListeners('data');
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (onErrorLine(line)) streams.stderr += `${line}\n`;
    });
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      streams.stderr += error.message;
      resolve(null);
    });
    child.once('close', resolve);
  });
  return { code, ...streams };
}
