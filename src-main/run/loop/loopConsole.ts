/** Combines the console output of a loop's iterations into one text and one log. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { LOGGED_BYTES, TAIL_BYTES } from '../../exec/consoleFeed.ts';
import { ConsoleLog } from '../../exec/consoleLog.ts';
import { TailBuffer } from '../../exec/tailBuffer.ts';
import { removeFile } from '../../lib/guardedFolder/names.ts';
import type { ConsoleLogFiles } from '../../notebook/stored/consoleLogs.ts';

const STREAMS = ['stdout', 'stderr'] as const;
type Stream = (typeof STREAMS)[number];
type StreamTexts = Readonly<Record<Stream, string>>;

interface StreamState {
  readonly tail: TailBuffer;
  log: ConsoleLog | null;
}

/**
 * The combined output of a loop's iterations: the tail of each stream, and all of it in the run's log once it
 * is long (docs/spec/analysis-and-graph.md, 3.5: streams concatenated). Owns the log until `end`.
 */
export class LoopConsole {
  readonly #files: ConsoleLogFiles;
  readonly #streams: Readonly<Record<Stream, StreamState>>;
  #resume: (() => void) | null = null;
  #paused: Promise<void> | null = null;

  constructor(files: ConsoleLogFiles) {
    this.#files = files;
    const buffer = (): StreamState => ({ tail: new TailBuffer(TAIL_BYTES), log: null });
    this.#streams = { stdout: buffer(), stderr: buffer() };
  }

  /** The retained text of both streams so far. */
  text(): StreamTexts {
    return { stdout: this.#streams.stdout.tail.text(), stderr: this.#streams.stderr.tail.text() };
  }

  /**
   * Adds the output of an iteration. @param logs the files with its own long streams, complete; deleted here
   */
  async add(printed: StreamTexts, logs: Pick<ConsoleLogFiles, Stream> | null): Promise<void> {
    for (const stream of STREAMS) {
      const file = logs?.[stream];
      if (file !== undefined && (await isThere(file))) {
        // A file that reached its limit already has its truncation line.
        for await (const chunk of createReadStream(file)) await this.#write(stream, chunk as Buffer); // no encoding is set
        removeFile(file);
      } else if (printed[stream] !== '') {
        await this.#write(stream, Buffer.from(printed[stream]));
      }
    }
  }

  async end(): Promise<void> {
    await Promise.all(STREAMS.map((stream) => this.#streams[stream].log?.close()));
  }

  async #write(name: Stream, bytes: Buffer): Promise<void> {
    const stream = this.#streams[name];
    if (stream.log === null && stream.tail.total + bytes.length > LOGGED_BYTES) {
      stream.log = new ConsoleLog(this.#files[name], {
        onPressure: (paused) => this.#onPressure(paused),
        maxBytes: this.#files.maxBytes,
      });
      stream.log.write(Buffer.from(stream.tail.held()));
    }
    stream.log?.write(bytes);
    stream.tail.push(bytes);
    await this.#paused;
  }

  #onPressure(paused: boolean): void {
    if (paused) {
      this.#paused ??= new Promise((resolve) => {
        this.#resume = resolve;
      });
    } else {
      this.#resume?.();
      this.#resume = null;
      this.#paused = null;
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
