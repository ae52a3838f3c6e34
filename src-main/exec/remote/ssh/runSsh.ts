/** Starts the system's ssh to run a command on another machine, for workers that are started over SSH. */

import { type ChildProcess, spawn } from 'node:child_process';
import { errnoOf } from '../../../lib/atomicFile.ts';
import { type Forward, sshArguments } from './sshArguments.ts';
import { readSshError, SshFailure } from './sshTrouble.ts';

/** The ssh program and its first arguments; tests add their own configuration and keys. */
export type SshProgram = readonly [program: string, ...before: string[]];
export const SYSTEM_SSH: SshProgram = ['ssh'];

const MAX_CHARS = 64 * 1024;
/** The exit code of ssh when ssh itself failed, not the remote command. */
const SSH_FAILED = 255;

export interface SshCommand {
  readonly program: SshProgram;
  readonly target: string;
  /** The remote command; see shellLine. */
  readonly line: string;
  readonly input?: string | Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface SshAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts ssh without a terminal; the caller handles its three pipes. */
export function startSsh(
  { program, target, line }: Pick<SshCommand, 'program' | 'target' | 'line'>,
  forward?: Forward,
): ChildProcess {
  const [file, ...before] = program;
  return spawn(file, [...before, ...sshArguments(target, line, forward)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/**
 * Runs one command on another machine and waits for its end.
 * @throws SshFailure when ssh is missing, fails or takes too long; the signal's reason
 */
export async function runSsh({ input = '', timeoutMs, signal, ...command }: SshCommand): Promise<SshAnswer> {
  signal?.throwIfAborted();
  const { target } = command;
  const child = startSsh(command);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const end = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const exit = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // A command that ends before it has read all its input reports the reason on stderr.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    const code = await exit;
    signal?.throwIfAborted();
    if (timedOut)
      throw new SshFailure('unreachable', `${target} did not respond within ${timeoutMs / 1000} s.`);
    if (code === SSH_FAILED || code === null) throw readSshError(target, stderr());
    return { code, stdout: stdout(), stderr: stderr() };
  } catch (error) {
    throw withoutSsh(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** The failure for a missing ssh; other errors are returned unchanged. */
export function withoutSsh(error: unknown): unknown {
  return errnoOf(error) === 'ENOENT'
    ? new SshFailure('no_ssh', 'ssh is not installed on this machine. Install the OpenSSH client.')
    : error;
}

/** Collects the newest text of a stream; returns a function that reads it. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (piece: string) => {
    text = (text + piece).slice(-MAX_CHARS);
  });
  return () => text;
}
