import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { killMarked } from '../../lib/killMarked.ts';
import { type StopSignal, signalGroup } from '../../lib/processGroup.ts';
import { MARKER } from './childEnvironment.ts';
import type { OnOutput, RunEnd } from './runningCell.ts';

/** How long the pipes of an ended process may stay open: everything that holds them has been killed. */
const DRAIN_MS = 2_000;
export const CONTROL_FD = 3;

export interface GuardedProcessOptions {
  readonly python: string;
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A program to start: what holds a harness, of whichever language. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** `pipe` where the harness is told its manifest on standard input. */
  readonly stdin: 'ignore' | 'pipe';
  /** What is said not to start. */
  readonly program: string;
}

/** Python with the harness in it, which is asked and answers on the control socket. */
export function pythonLaunch(args: readonly string[], options: GuardedProcessOptions): Launch {
  const { python, harness, env, cwd } = options;
  return {
    file: python,
    args: ['-I', '-X', 'utf8', harness, ...args, '--control', String(CONTROL_FD)],
    env,
    cwd,
    stdin: 'ignore',
    program: python,
  };
}

export interface Ears {
  /** What the harness says over the control socket, in pieces of any size. */
  readonly onControl: (chunk: Buffer) => void;
  readonly onOutput: OnOutput;
}

/**
 * One interpreter with the harness in it, in a process group of its own. The control socket's closing kills the
 * group, so nothing outlives this server; the process's end ends everything it started, in whatever group.
 */
export class GuardedProcess {
  /** How the process ended; its group and whatever left the group are gone by then. */
  readonly ended: Promise<RunEnd>;
  readonly #process: ChildProcess;
  readonly #control: Duplex;
  readonly #marker = randomBytes(16).toString('hex');
  #alive = true;

  constructor(launch: Launch, ears: Ears) {
    this.#process = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: { ...launch.env, [MARKER]: this.#marker },
      stdio: [launch.stdin, 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const control = this.#process.stdio[CONTROL_FD];
    if (!(control instanceof Duplex)) throw new TypeError('the control pipe is a socket on every platform');
    this.#control = control;
    this.#control.on('error', () => {}); // Its end is told by the process's.
    this.#control.on('data', ears.onControl);
    this.#process.stdout?.on('data', (chunk: Buffer) => ears.onOutput('stdout', chunk));
    this.#process.stderr?.on('data', (chunk: Buffer) => ears.onOutput('stderr', chunk));
    // Its end is told by the process's, here too.
    this.#process.stdin?.on('error', () => {});
    this.ended = this.#end(launch.program);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** One JSON line to the harness. */
  send(message: unknown): void {
    this.#control.write(`${JSON.stringify(message)}\n`);
  }

  /** The whole of standard input, where it is a pipe. */
  tell(text: string): void {
    this.#process.stdin?.end(text);
  }

  /** Signals the process group; does nothing once it ended. */
  signal(signal: StopSignal): void {
    if (this.#alive && this.#process.pid !== undefined) signalGroup(this.#process.pid, signal);
  }

  /** Stops or goes on reading what is printed. */
  pause(paused: boolean): void {
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (paused) stream?.pause();
      else stream?.resume();
    }
  }

  async #end(program: string): Promise<RunEnd> {
    const child = this.#process;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const end = await new Promise<RunEnd>((resolve) => {
      child.once('error', (error) =>
        resolve({ kind: 'lost', message: `${program} could not be started: ${error.message}` }),
      );
      child.once('exit', (code, signal) =>
        resolve(signal === null ? { kind: 'code', code: code ?? 0 } : { kind: 'signal', signal }),
      );
    });
    // The guard in the group keeps its number taken until now (svc_harness/lifeline.py).
    if (child.pid !== undefined && process.platform !== 'win32') signalGroup(child.pid, 'SIGKILL');
    this.#alive = false;
    if (child.pid === undefined) return end;
    await killMarked(MARKER, this.#marker);
    const late = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
    }, DRAIN_MS);
    await closed;
    clearTimeout(late);
    this.#control.destroy();
    return end;
  }
}
