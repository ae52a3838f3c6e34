import { GuardedProcess, type GuardedProcessOptions, pythonLaunch } from './guardedProcess.ts';
import type { OnOutput, RunEnd, RunningCell } from './runningCell.ts';

export type SingleProcessOptions = GuardedProcessOptions;

/**
 * One interpreter for one run. Either told its manifest at birth (`once`), or started ahead of need with
 * the imports loaded (`spare`), then `ready`, then told. The other side is harness/python/harness.py.
 */
export class SingleProcess {
  /** How the process ended; its group and whatever left the group are gone by then. */
  readonly ended: Promise<RunEnd>;
  readonly #process: GuardedProcess;
  #waiting: OnOutput | null = null;
  #ready = false;
  #started = false;
  #onReady: (() => void) | null = null;

  private constructor(args: readonly string[], options: SingleProcessOptions) {
    this.#process = new GuardedProcess(pythonLaunch(args, options), {
      onControl: (chunk) => this.#hear(chunk.toString('latin1')),
      onOutput: (stream, bytes) => this.#waiting?.(stream, bytes),
    });
    this.ended = this.#process.ended;
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
    single.#process.send({ imports });
    return single;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** A spare that has loaded its imports and waits for its one manifest. */
  get ready(): boolean {
    return this.#ready && this.#process.alive;
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
    this.#process.send({ manifest });
    return this.#asRun('warm');
  }

  /** Ends the process and everything it started. */
  kill(): void {
    this.#process.signal('SIGKILL');
  }

  #asRun(method: 'warm' | 'cold'): RunningCell {
    const hasStarted = () => this.#started;
    return {
      method,
      get started() {
        return hasStarted();
      },
      ended: this.ended,
      signal: (signal) => this.#process.signal(signal),
      pause: (paused) => this.#process.pause(paused),
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
}
