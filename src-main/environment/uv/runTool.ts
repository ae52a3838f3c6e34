/**
 * Runs a helper program (uv, pip, a Python probe) to its end, in its own process group, so that stopping it
 * also stops the processes it started. The group also ends when this process does, for any reason: on POSIX a
 * shell in front of the program watches a pipe that only this process holds.
 */

import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export type ToolStream = 'stdout' | 'stderr';

export interface ToolRun {
  readonly file: string;
  readonly args: readonly string[];
  /** The complete environment, not additions. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onText?: (stream: ToolStream, text: string) => void;
  /** 10 lowers the priority as far as is useful; use 0 for work that the user waits for. */
  readonly niceness?: 0 | 10;
}

export type ToolEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'unstartable'; readonly message: string };

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000;
/** Exit codes of the shell: 127 for a missing program, 126 for one that cannot be run. */
const UNSTARTABLE_CODES: ReadonlySet<number> = new Set([126, 127]);

/** The shell script of the watcher. It must not hold our pipes, or they would not end before it. */
const LIFELINE = [
  'exec 3<&0 </dev/null',
  '{ cat <&3; kill -TERM 0; sleep 2; kill -KILL 0; } >/dev/null 2>&1 &',
  'watcher=$!',
  '"$@" 3<&-',
  'code=$?',
  'kill -KILL $watcher',
  'exit $code',
].join('\n');

/** Runs the program. Never throws for its errors: how it ended is the result. */
export function runTool(run: ToolRun): Promise<ToolEnd> {
  return start(run, process.platform === 'win32' ? plain(run) : guarded(run));
}

/** Like {@link runTool}, but returns the output and has no watcher: for short queries. */
export async function captureTool(
  run: Omit<ToolRun, 'onText' | 'niceness'>,
): Promise<{ readonly end: ToolEnd; readonly stdout: string; readonly stderr: string }> {
  const text = { stdout: '', stderr: '' };
  const onText = (stream: ToolStream, piece: string): void => {
    text[stream] += piece;
  };
  const end = await start({ ...run, onText }, plain(run));
  return { end, ...text };
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

function plain({ file, args }: ToolRun): Command {
  return { file, args };
}

function guarded({ file, args, niceness }: ToolRun): Command {
  const nice = niceness === 10 ? ['nice', '-n', '10'] : [];
  return { file: '/bin/sh', args: ['-c', LIFELINE, 'sh', ...nice, file, ...args] };
}

function start(run: ToolRun, command: Command): Promise<ToolEnd> {
  return new Promise((resolve) => {
    if (run.signal?.aborted) {
      resolve({ kind: 'cancelled' });
      return;
    }
    const child = spawn(command.file, command.args, {
      cwd: run.cwd,
      env: run.env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stopped: 'cancelled' | 'timeout' | null = null;
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (cause: 'cancelled' | 'timeout'): void => {
      if (stopped !== null) return;
      stopped = cause;
      signalGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    const onAbort = (): void => stop('cancelled');
    const timer = setTimeout(() => stop('timeout'), run.timeoutMs);
    run.signal?.addEventListener('abort', onAbort);
    const finish = (end: ToolEnd): void => {
      clearTimeout(timer);
      clearTimeout(killTimer);
      run.signal?.removeEventListener('abort', onAbort);
      resolve(stopped === null ? end : { kind: stopped });
    };
    child.on('error', (error) => finish({ kind: 'unstartable', message: error.message }));
    // The pipe breaks when the group is killed; its end is reported by `close`.
    child.stdin.on('error', () => child.stdin.destroy());
    child.on('exit', () => child.stdin.destroy());
    child.on('close', (code, signal) => {
      if (code !== null && UNSTARTABLE_CODES.has(code)) {
        finish({ kind: 'unstartable', message: `${run.file} cannot be started` });
      } else finish({ kind: 'exited', code: code ?? (signal === 'SIGKILL' ? 137 : 143) });
    });
    pipeText(child.stdout, (text) => run.onText?.('stdout', text));
    pipeText(child.stderr, (text) => run.onText?.('stderr', text));
  });
}

function pipeText(from: NodeJS.ReadableStream, onText: (text: string) => void): void {
  // The pipe may split a character.
  const decoder = new StringDecoder('utf8');
  const emit = (text: string): void => {
    if (text !== '') onText(text);
  };
  from.on('data', (chunk: Buffer) => emit(decoder.write(chunk)));
  from.on('end', () => emit(decoder.end()));
}

function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!hasEnded) throw error;
  }
}
