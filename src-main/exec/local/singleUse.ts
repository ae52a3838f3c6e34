import type { GuardedProcess } from './guardedProcess.ts';
import type { OnOutput, RunEnd, RunningCell } from './runningCell.ts';

/** A process for one run, whatever its language: what it says of itself, and the run it becomes. */
export class SingleUse {
  /** How it ended; what belongs to it is gone by then. */
  readonly ended: Promise<RunEnd>;
  readonly #process: GuardedProcess;
  #waiting: OnOutput | null = null;
  #isReady = false;
  #hasStarted = false;
  #onReady: (() => void) | null = null;

  constructor(process: GuardedProcess, ended: Promise<RunEnd>) {
    this.#process = process;
    this.ended = ended;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** A spare that waits for its one manifest. */
  get ready(): boolean {
    return this.#isReady && this.#process.alive;
  }

  get started(): boolean {
    return this.#hasStarted;
  }

  /** Resolves when `ready`, or when the process has ended instead. */
  settled(): Promise<void> {
    if (this.#isReady) return Promise.resolve();
    const ready = new Promise<void>((resolve) => {
      this.#onReady = resolve;
    });
    return Promise.race([ready, this.ended.then(() => {})]);
  }

  /** A word the process says of itself: `ready`, `started`; others mean nothing. */
  hear(word: string): void {
    if (word === 'ready') {
      this.#isReady = true;
      this.#onReady?.();
    } else if (word === 'started') this.#hasStarted = true;
  }

  /** To whoever follows the run; nobody does before there is one. */
  output(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    this.#waiting?.(stream, bytes);
  }

  /** The run it is from now on. */
  asRun(method: RunningCell['method'], onOutput: OnOutput): RunningCell {
    this.#waiting = onOutput;
    const hasStarted = () => this.#hasStarted;
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

  /** Ends the process and everything it started. */
  kill(): void {
    this.#process.signal('SIGKILL');
  }
}
