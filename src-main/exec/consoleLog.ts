import { createWriteStream, type WriteStream } from 'node:fs';

/**
 * The whole of one stream of a run, on disk. Never holds more than a few writes in memory: while the disk
 * is behind, the source is asked to pause. A disk that refuses ends the log, never the run.
 */
export class ConsoleLog {
  readonly #file: WriteStream;
  readonly #onPressure: (paused: boolean) => void;
  #waiting = false;
  #problem: Error | null = null;

  constructor(path: string, onPressure: (paused: boolean) => void) {
    this.#onPressure = onPressure;
    this.#file = createWriteStream(path, { highWaterMark: 4 * 1024 * 1024, mode: 0o600 });
    this.#file.on('drain', () => this.#release());
    this.#file.on('error', (error) => {
      this.#problem = error;
      this.#release();
    });
  }

  /** Why the log is not whole, if it is not. */
  get problem(): Error | null {
    return this.#problem;
  }

  write(bytes: Buffer): void {
    if (this.#problem !== null) return;
    if (!this.#file.write(bytes) && !this.#waiting) {
      this.#waiting = true;
      this.#onPressure(true);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#file.closed) return resolve();
      this.#file.once('close', () => resolve());
      this.#file.end();
    });
  }

  #release(): void {
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#onPressure(false);
  }
}
