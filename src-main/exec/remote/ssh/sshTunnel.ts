/** Opens the SSH tunnel to a worker on another machine, and restores it when the connection breaks. */

import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { ShortLines } from '../../../lib/shortLines.ts';
import { reconnectDelayMs } from '../../../relay/backoff.ts';
import { collect, type SshProgram, startSsh, withoutSsh } from './runSsh.ts';
import type { Forward } from './sshArguments.ts';
import { readSshError, SshFailure } from './sshTrouble.ts';

export interface TunnelOptions {
  readonly program: SshProgram;
  readonly target: string;
  /** Starts the keeper of the worker, which runs as long as the tunnel. */
  readonly line: string;
  readonly forward: Forward;
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** `up`; `down`: lost and being restored; `ended`: the worker has stopped. */
type TunnelState =
  | { readonly kind: 'up' }
  | { readonly kind: 'down' | 'ended'; readonly problem: SshFailure };

export interface SshTunnel {
  state(): TunnelState;
  /** The last messages of ssh, to explain an open tunnel that does not work. */
  messages(): string;
  /** Resolves once ssh has printed a message. */
  spoke(): Promise<void>;
  /** Closes it; the worker keeps running until its keeper has waited long enough for a new tunnel. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 15_000;
const FIRST_MS = 30_000;
/** Ten times the longest message of a keeper. */
const MAX_LINE_BYTES = 128 * 1024;

/**
 * A tunnel to a port of another machine. A lost connection is restored, after waits that grow to a minute,
 * until the tunnel is closed or the worker has stopped. @throws SshFailure when the first attempt fails
 */
export async function openTunnel(options: TunnelOptions): Promise<SshTunnel> {
  const { random = Math.random, sleep = pause } = options;
  const closing = new AbortController();
  let line = startLine(options);
  let state: TunnelState = { kind: 'up' };
  const first = await line.up;
  if (first !== null) {
    line.end();
    throw first;
  }
  const keepOpen = async (): Promise<void> => {
    let failures = 0;
    while (!closing.signal.aborted) {
      const problem = await line.over;
      if (closing.signal.aborted) return;
      state = { kind: problem.trouble === 'worker_ended' ? 'ended' : 'down', problem };
      if (state.kind === 'ended') return;
      failures += 1;
      await sleep(reconnectDelayMs(failures, random), closing.signal);
      if (closing.signal.aborted) return;
      line = startLine(options);
      if ((await line.up) !== null) continue;
      failures = 0;
      state = { kind: 'up' };
    }
  };
  const keepingOpen = keepOpen();
  return {
    state: () => state,
    messages: () => line.messages(),
    spoke: () => line.spoke,
    async close() {
      closing.abort();
      line.end();
      await keepingOpen;
      await line.over;
    },
  };
}

interface Line {
  /** Resolves to null once the tunnel works, else to the reason why it does not. */
  readonly up: Promise<SshFailure | null>;
  readonly over: Promise<SshFailure>;
  messages(): string;
  readonly spoke: Promise<void>;
  end(): void;
}

/**
 * Starts one ssh with its port forwarding and its keeper, which prints a line once it runs and when the worker stops.
 */
function startLine({ program, target, line, forward }: TunnelOptions): Line {
  const child = startSsh({ program, target, line }, forward);
  const stderr = collect(child.stderr);
  const spoke = new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()));
  let lastOutput: string | null = null;
  child.stdin?.on('error', () => undefined); // the exit of ssh reports it
  const beat = setInterval(() => child.stdin?.write('\n'), HEARTBEAT_MS);
  const over = exitOf(child).then((error): SshFailure => {
    clearInterval(beat);
    if (lastOutput !== null) {
      const last = lastOutput === '' ? '' : ` Last output: ${lastOutput.split('\n').at(-1)?.slice(0, 300)}`;
      return new SshFailure('worker_ended', `The worker on ${target} has stopped.${last}`);
    }
    const failure = withoutSsh(error);
    return failure instanceof SshFailure ? failure : readSshError(target, stderr());
  });
  const keeping = new Promise<null>((resolve) => {
    const lines = new ShortLines(MAX_LINE_BYTES, (line) => {
      const text = line.trimEnd();
      if (text === 'keeping') resolve(null);
      if (text.startsWith('gone ')) lastOutput = outputOf(text.slice('gone '.length));
    });
    child.stdout?.on('data', (piece: Buffer) => lines.push(piece));
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), FIRST_MS);
  const up = Promise.race([keeping, over]).finally(() => clearTimeout(timer));
  return { up, over, messages: stderr, spoke, end: () => void child.kill('SIGTERM') };
}

function outputOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

function exitOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('close', () => resolve(null));
  });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
