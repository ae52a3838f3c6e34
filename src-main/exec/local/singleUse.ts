import type { GuardedProcess } from './guardedProcess.ts';
import type { OnOutput, RunEnd, RunningCell } from './runningCell.ts';

/** A process for one run, in Python or R: reads its status words, and turns it into a run. */
export class SingleUse {
  /** How it ended; everything that belongs to it has ended by then. */
  readonly ended: Promise<RunEnd>;
  readonly #process: GuardedProcess;
  #onOutput: OnOutput | null = null;
  #isReady = false;
  #hasStarted = false;
  #onReady: (() => void) | null = null;

  constructor(process: GuardedProcess, runEnd: Promise<RunEnd>) {
    this.#process = process;
    this.ended = runEnd;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether it is a spare that waits for its manifest. */
  get ready(): boolean {
    return this.#isReady && this.#process.alive;
  }

  get started(): boolean {
    return this.#hasStarted;
  }

  /** Resolves when it is `ready` or has ended. */
  settled(): Promise<void> {
    if (this.#isReady) return Promise.resolve();
    const ready = new Promise<void>((resolve) => {
      this.#onReady = resolve;
    });
    return Promise.race([ready, this.ended.then(() => {})]);
  }

  /** Takes a status word of the process: `ready` or `started`; others are ignored. */
  onStatus(word: string): void {
    if (word === 'ready') {
      this.#isReady = true;
      this.#onReady?.();
    } else if (word === 'started') this.#hasStarted = true;
  }

  /** Passes output on to the run; before there is one, it is dropped. */
  output(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    this.#onOutput?.(stream, bytes);
  }

  /** Turns the process into a run. */
  asRun(method: RunningCell['method'], onOutput: OnOutput): RunningCell {
    this.#onOutput = onOutput;
    const hasStarted = () => this.#hasStarted;
    return {
      method,
      pid: this.#process.pid ?? null,
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
