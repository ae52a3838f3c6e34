import type { WriteStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { errnoOf } from '../lib/atomicFile.ts';
import { streamTo } from '../lib/guardedFolder/replace.ts';
import type { StreamRedactor } from '../lib/redactor.ts';

/** The last line of a log that grew to its limit. */
export const CUT = '\n[… the log reached its limit here; later output is not stored …]\n';

/**
 * The whole of one stream of a run, on disk. Never holds more than a few writes in memory: while the disk
 * is behind, the source is asked to pause. A disk that refuses, or `maxBytes`, ends the log, never the run.
 */
export class ConsoleLog {
  readonly #file: WriteStream | null;
  readonly #onPressure: (paused: boolean) => void;
  #waiting = false;
  #problem: Error | null = null;
  #left: number;
  readonly #hide: { readonly text: StreamRedactor; readonly decoder: StringDecoder } | null;

  constructor(
    path: string,
    options: {
      readonly onPressure: (paused: boolean) => void;
      readonly maxBytes: number;
      /** Hides known values; bytes that are no UTF-8 are replaced then. */
      readonly hide?: StreamRedactor | undefined;
    },
  ) {
    const { hide } = options;
    this.#hide = hide === undefined ? null : { text: hide, decoder: new StringDecoder('utf8') };
    this.#onPressure = options.onPressure;
    this.#left = options.maxBytes;
    this.#file = this.#begin(path);
  }

  #begin(path: string): WriteStream | null {
    try {
      const file = streamTo(path, { over: true, highWaterMark: 4 * 1024 * 1024 });
      file.on('drain', () => this.#release());
      file.on('error', (error) => {
        this.#problem = error;
        this.#release();
      });
      return file;
    } catch (error) {
      if (errnoOf(error) === null || !(error instanceof Error)) throw error;
      this.#problem = error;
      return null;
    }
  }

  /** Why the log is not whole, if it is not. */
  get problem(): Error | null {
    return this.#problem;
  }

  write(bytes: Buffer): void {
    if (this.#hide === null) this.#keep(bytes);
    else this.#keep(Buffer.from(this.#hide.text.push(this.#hide.decoder.write(bytes))));
  }

  #keep(bytes: Buffer): void {
    if (this.#problem !== null || this.#left === 0) return;
    const kept = bytes.subarray(0, this.#left);
    this.#left -= kept.length;
    this.#put(kept);
    if (kept.length < bytes.length || this.#left === 0) this.#put(Buffer.from(CUT));
  }

  #put(bytes: Buffer): void {
    if (this.#file?.write(bytes) === false && !this.#waiting) {
      this.#waiting = true;
      this.#onPressure(true);
    }
  }

  close(): Promise<void> {
    const file = this.#file;
    if (file === null || file.closed) return Promise.resolve();
    return new Promise((resolve) => {
      if (this.#hide !== null) {
        const { text, decoder } = this.#hide;
        this.#keep(Buffer.from(text.push(decoder.end()) + text.end()));
      }
      file.once('close', () => resolve());
      file.end();
    });
  }

  #release(): void {
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#onPressure(false);
  }
}
