/** Starts a process with the harness whose process group is killed when the server ends. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { killMarked } from '../../lib/killMarked.ts';
import { type StopSignal, signalGroup } from '../../lib/processGroup.ts';
import { RUN_MARKER_VARIABLE } from './childEnvironment.ts';
import type { OnOutput, RunEnd } from './runningCell.ts';

/** How long to wait for the pipes of an ended process to close, after everything that holds them was killed. */
const DRAIN_MS = 2_000;
export const CONTROL_FD = 3;

export interface GuardedProcessOptions {
  readonly python: string;
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How to start a program that runs a harness of any language. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** `pipe` where the harness reads its manifest from standard input. */
  readonly stdin: 'ignore' | 'pipe';
  /** The name to show when it cannot be started. */
  readonly program: string;
}

/** Python with the harness, which receives requests and answers on the control socket. */
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

interface ProcessListeners {
  /** Receives what the harness sends on the control socket, in pieces of any size. */
  readonly onControl: (chunk: Buffer) => void;
  readonly onOutput: OnOutput;
}

/**
 * One interpreter with the harness, in its own process group. When the control socket closes, the group is killed, so
 * nothing outlives this server; when the process ends, everything that it started is ended, in any group.
 */
export class GuardedProcess {
  /** How the process ended; its group and everything that left the group have ended by then. */
  readonly ended: Promise<RunEnd>;
  readonly #process: ChildProcess;
  readonly #control: Duplex;
  readonly #marker = randomBytes(16).toString('hex');
  #alive = true;

  constructor(launch: Launch, listeners: ProcessListeners) {
    this.#process = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: { ...launch.env, [RUN_MARKER_VARIABLE]: this.#marker },
      stdio: [launch.stdin, 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const control = this.#process.stdio[CONTROL_FD];
    if (!(control instanceof Duplex)) throw new TypeError('the control pipe is a socket on every platform');
    this.#control = control;
    this.#control.on('error', () => {}); // The exit of the process reports it.
    this.#control.on('data', listeners.onControl);
    this.#process.stdout?.on('data', (chunk: Buffer) => listeners.onOutput('stdout', chunk));
    this.#process.stderr?.on('data', (chunk: Buffer) => listeners.onOutput('stderr', chunk));
    // The exit of the process reports it, here too.
    this.#process.stdin?.on('error', () => {});
    this.ended = this.#end(launch.program);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Sends one JSON line to the harness. */
  send(message: unknown): void {
    this.#control.write(`${JSON.stringify(message)}\n`);
  }

  /** Writes the text to standard input and closes it, where that is a pipe. */
  writeStdin(text: string): void {
    this.#process.stdin?.end(text);
  }

  /** Signals the process group; does nothing once the process has ended. */
  signal(signal: StopSignal): void {
    if (this.#alive && this.#process.pid !== undefined) signalGroup(this.#process.pid, signal);
  }

  /** Pauses or resumes reading what it prints. */
  pause(paused: boolean): void {
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (paused) stream?.pause();
      else stream?.resume();
    }
  }

  async #end(program: string): Promise<RunEnd> {
    const child = this.#process;
    const streamsClosed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const end = await new Promise<RunEnd>((resolve) => {
      child.once('error', (error) =>
        resolve({ kind: 'lost', message: `${program} could not be started: ${error.message}` }),
      );
      child.once('exit', (code, signal) =>
        resolve(signal === null ? { kind: 'code', code: code ?? 0 } : { kind: 'signal', signal }),
      );
    });
    // A guard process in the group keeps the group's number from being reused until now (svc_harness/lifeline.py).
    if (child.pid !== undefined && process.platform !== 'win32') signalGroup(child.pid, 'SIGKILL');
    this.#alive = false;
    if (child.pid === undefined) return end;
    await killMarked(RUN_MARKER_VARIABLE, this.#marker);
    const drainTimer = setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy();
    }, DRAIN_MS);
    await streamsClosed;
    clearTimeout(drainTimer);
    this.#control.destroy();
    return end;
  }
}
