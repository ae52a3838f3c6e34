import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { killMarked } from '../../lib/killMarked.ts';
import { type StopSignal, signalGroup } from '../../lib/processGroup.ts';
import { MARKER } from './childEnvironment.ts';
import type { OnOutput, RunEnd, RunningCell } from './runningCell.ts';

/** How long the pipes of an ended process may stay open: everything that holds them has been killed. */
const DRAIN_MS = 2_000;
const CONTROL_FD = 3;

export interface SingleProcessOptions {
  readonly python: string;
  readonly harness: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/**
 * One interpreter for one run. Either told its manifest at birth (`once`), or started ahead of need with
 * the imports loaded (`spare`), then `ready`, then told. The other side is harness/python/harness.py.
 *
 * The control socket's closing kills the process group, so nothing outlives this server.
 */
export class SingleProcess {
  /** How the process ended; its group and whatever left the group are gone by then. */
  readonly ended: Promise<RunEnd>;
  readonly #process: ChildProcess;
  readonly #control: Duplex;
  readonly #marker = randomBytes(16).toString('hex');
  #waiting: OnOutput | null = null;
  #ready = false;
  #started = false;
  #alive = true;
  #onReady: (() => void) | null = null;

  private constructor(args: readonly string[], options: SingleProcessOptions) {
    this.#process = spawn(
      options.python,
      ['-I', '-X', 'utf8', options.harness, ...args, '--control', String(CONTROL_FD)],
      {
        cwd: options.cwd,
        env: { ...options.env, [MARKER]: this.#marker },
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      },
    );
    const control = this.#process.stdio[CONTROL_FD];
    if (!(control instanceof Duplex)) throw new TypeError('the control pipe is a socket on every platform');
    this.#control = control;
    this.#control.on('error', () => {}); // Its end is told by the process's.
    this.#control.on('data', (chunk: Buffer) => this.#hear(chunk.toString('latin1')));
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#waiting?.('stdout', chunk));
    this.#process.stderr?.on('data', (chunk: Buffer) => this.#waiting?.('stderr', chunk));
    this.ended = this.#end(options.python);
  }

  /** Starts a fresh interpreter that runs the manifest. */
  static once(manifest: string, options: SingleProcessOptions, onOutput: OnOutput): RunningCell {
    const single = new SingleProcess(['once', manifest], options);
    single.#waiting = onOutput;
    return single.#asRun('cold');
  }

  /** Starts an interpreter that loads `imports` and waits. */
  static spare(imports: readonly string[], options: SingleProcessOptions): SingleProcess {
    const single = new SingleProcess(['spare'], options);
    single.#control.write(`${JSON.stringify({ imports })}\n`);
    return single;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** A spare that has loaded its imports and waits for its one manifest. */
  get ready(): boolean {
    return this.#ready && this.#alive;
  }

  /** Resolves when `ready`, or when the process has ended instead. */
  settled(): Promise<void> {
    if (this.#ready) return Promise.resolve();
    const ready = new Promise<void>((resolve) => {
      this.#onReady = resolve;
    });
    return Promise.race([ready, this.ended.then(() => {})]);
  }

  /** Hands a ready spare its manifest. Once. */
  run(manifest: string, onOutput: OnOutput): RunningCell {
    this.#waiting = onOutput;
    this.#control.write(`${JSON.stringify({ manifest })}\n`);
    return this.#asRun('warm');
  }

  /** Ends the process and everything it started. */
  kill(): void {
    if (this.#alive && this.#process.pid !== undefined) signalGroup(this.#process.pid, 'SIGKILL');
  }

  #asRun(method: 'warm' | 'cold'): RunningCell {
    const hasStarted = () => this.#started;
    return {
      method,
      get started() {
        return hasStarted();
      },
      ended: this.ended,
      signal: (signal: StopSignal) => {
        if (this.#alive && this.#process.pid !== undefined) signalGroup(this.#process.pid, signal);
      },
      pause: (paused) => {
        for (const stream of [this.#process.stdout, this.#process.stderr]) {
          if (paused) stream?.pause();
          else stream?.resume();
        }
      },
    };
  }

  #hear(text: string): void {
    for (const word of text.split('\n')) {
      if (word === 'ready') {
        this.#ready = true;
        this.#onReady?.();
      } else if (word === 'started') {
        this.#started = true;
      }
    }
  }

  async #end(python: string): Promise<RunEnd> {
    const child = this.#process;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const end = await new Promise<RunEnd>((resolve) => {
      child.once('error', (error) =>
        resolve({ kind: 'lost', message: `${python} could not be started: ${error.message}` }),
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
