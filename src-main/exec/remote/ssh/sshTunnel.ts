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
  /** Starts the keeper of the worker, which lives as long as the tunnel. */
  readonly line: string;
  readonly forward: Forward;
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** `up`; `down`: broken, and being repaired; `ended`: there is nothing to lead to any more. */
export type TunnelState =
  | { readonly kind: 'up' }
  | { readonly kind: 'down' | 'ended'; readonly problem: SshFailure };

export interface SshTunnel {
  state(): TunnelState;
  /** What ssh last said beside it; for words about a way that is up and leads nowhere. */
  said(): string;
  /** Resolves once ssh has said anything beside it. */
  spoke(): Promise<void>;
  /** Ends it; the worker stays as long as its keeper waits for somebody to come back. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 15_000;
const FIRST_MS = 30_000;
/** Ten times what a keeper has to say. */
const MOST_LINE_BYTES = 128 * 1024;

/**
 * A way to a port of another machine, kept open: a line that breaks is made anew, the waits growing up to a minute,
 * until the tunnel is closed or the worker is gone there. @throws SshFailure where the first attempt fails
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
  const stay = async (): Promise<void> => {
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
  const staying = stay();
  return {
    state: () => state,
    said: () => line.said(),
    spoke: () => line.spoke,
    async close() {
      closing.abort();
      line.end();
      await staying;
      await line.over;
    },
  };
}

interface Line {
  /** Null once it leads there, else why it does not. */
  readonly up: Promise<SshFailure | null>;
  readonly over: Promise<SshFailure>;
  said(): string;
  readonly spoke: Promise<void>;
  end(): void;
}

/** One ssh with its forward and its keeper, which says a line when the way is open and one when the worker is gone. */
function startLine({ program, target, line, forward }: TunnelOptions): Line {
  const child = startSsh({ program, target, line }, forward);
  const stderr = collect(child.stderr);
  const spoke = new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()));
  let gone: string | null = null;
  child.stdin?.on('error', () => undefined); // the end of the line is told by its end
  const beat = setInterval(() => child.stdin?.write('\n'), HEARTBEAT_MS);
  const over = ended(child).then((error): SshFailure => {
    clearInterval(beat);
    if (gone !== null) {
      const last = gone === '' ? '' : ` Last output: ${gone.split('\n').at(-1)?.slice(0, 300)}`;
      return new SshFailure('worker_ended', `The worker on ${target} has stopped.${last}`);
    }
    const known = withoutSsh(error);
    return known instanceof SshFailure ? known : readSshError(target, stderr());
  });
  const keeping = new Promise<null>((resolve) => {
    const lines = new ShortLines(MOST_LINE_BYTES, (line) => {
      const said = line.trimEnd();
      if (said === 'keeping') resolve(null);
      if (said.startsWith('gone ')) gone = goneWords(said.slice('gone '.length));
    });
    child.stdout?.on('data', (piece: Buffer) => lines.push(piece));
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), FIRST_MS);
  const up = Promise.race([keeping, over]).finally(() => clearTimeout(timer));
  return { up, over, said: stderr, spoke, end: () => void child.kill('SIGTERM') };
}

function goneWords(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

function ended(child: ChildProcess): Promise<unknown> {
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
