/** Writes a long output stream of a run to a log file on disk, for consoleFeed.ts. */

import type { WriteStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { errnoOf } from '../lib/atomicFile.ts';
import { streamTo } from '../lib/guardedFolder/replace.ts';
import type { StreamRedactor } from '../lib/redactor.ts';

/** The last line of a log that reached its limit. */
const CUT = '\n[… the log reached its limit here; later output is not stored …]\n';

/**
 * Writes one stream of a run to disk. Holds at most a few writes in memory: while the disk
 * is behind, the source is asked to pause. A write error or `maxBytes` ends the log, never the run.
 */
export class ConsoleLog {
  readonly #file: WriteStream | null;
  readonly #onPressure: (paused: boolean) => void;
  #waiting = false;
  #problem: Error | null = null;
  #bytesLeft: number;
  readonly #hide: { readonly text: StreamRedactor; readonly decoder: StringDecoder } | null;

  constructor(
    path: string,
    options: {
      readonly onPressure: (paused: boolean) => void;
      readonly maxBytes: number;
      /** Replaces known secret values in the log; bytes that are not UTF-8 then become U+FFFD. */
      readonly hide?: StreamRedactor | undefined;
    },
  ) {
    const { hide } = options;
    this.#hide = hide === undefined ? null : { text: hide, decoder: new StringDecoder('utf8') };
    this.#onPressure = options.onPressure;
    this.#bytesLeft = options.maxBytes;
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

  /** Why the log is incomplete; null when it is complete. */
  get problem(): Error | null {
    return this.#problem;
  }

  write(bytes: Buffer): void {
    if (this.#hide === null) this.#append(bytes);
    else this.#append(Buffer.from(this.#hide.text.push(this.#hide.decoder.write(bytes))));
  }

  #append(bytes: Buffer): void {
    if (this.#problem !== null || this.#bytesLeft === 0) return;
    const part = bytes.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= part.length;
    this.#put(part);
    if (part.length < bytes.length || this.#bytesLeft === 0) this.#put(Buffer.from(CUT));
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
        this.#append(Buffer.from(text.push(decoder.end()) + text.end()));
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
