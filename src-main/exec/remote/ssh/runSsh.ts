import { type ChildProcess, spawn } from 'node:child_process';
import { errnoOf } from '../../../lib/atomicFile.ts';
import { type Forward, sshArguments } from './sshArguments.ts';
import { readSshError, SshFailure } from './sshTrouble.ts';

/** What ssh is called with; tests bring a configuration and keys of their own. */
export type SshProgram = readonly [program: string, ...before: string[]];
export const SYSTEM_SSH: SshProgram = ['ssh'];

const MOST_SAID = 64 * 1024;
/** ssh ends with this when it is ssh that failed, and not what it was to start. */
const SSH_FAILED = 255;

export interface SshCommand {
  readonly program: SshProgram;
  readonly target: string;
  /** See shellLine. */
  readonly line: string;
  readonly input?: string | Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SshAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts ssh without a terminal; its three pipes are the caller's. */
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
 * Runs one command on another machine to its end.
 * @throws SshFailure where ssh is missing, fails, or is not done in time; the signal's reason
 */
export async function runSsh({ input = '', timeoutMs, signal, ...command }: SshCommand): Promise<SshAnswer> {
  signal?.throwIfAborted();
  const { target } = command;
  const child = startSsh(command);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const end = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    // Whoever ends before it has read everything has said why on stderr.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    const code = await ended;
    signal?.throwIfAborted();
    if (late) throw new SshFailure('unreachable', `${target} did not respond within ${timeoutMs / 1000} s.`);
    if (code === SSH_FAILED || code === null) throw readSshError(target, stderr());
    return { code, stdout: stdout(), stderr: stderr() };
  } catch (error) {
    throw withoutSsh(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** The same failure, in words where there is no ssh at all. */
export function withoutSsh(error: unknown): unknown {
  return errnoOf(error) === 'ENOENT'
    ? new SshFailure('no_ssh', 'ssh is not installed on this machine. Install the OpenSSH client.')
    : error;
}

/** What a stream said, its newest part. */
export function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (piece: string) => {
    text = (text + piece).slice(-MOST_SAID);
  });
  return () => text;
}
