/** Buffers the reply of a worker for a slow caller of the relay, in memory and on disk. */

import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

interface SpoolOptions {
  /** The receiver of the bytes; a slow one blocks no other. */
  readonly sink: Writable;
  /** The folder of the file with what does not fit in memory; deleted with the spool. */
  readonly folder: string;
  readonly name: string;
  /** The shared limit of all spools of one worker. */
  readonly budget: SpoolBudget;
  /** Called when the disk is too slow and the source must pause, and when it may resume. */
  readonly busy: (isBusy: boolean) => void;
  /** Called when the bytes are lost: no room, a disk error, or a sink that was stuck for long. */
  readonly failed: (reason: string) => void;
  readonly stallMs?: number;
}

/** A count of queued bytes, shared by many spools. */
export class SpoolBudget {
  readonly #maxBytes: number;
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get used(): number {
    return this.#used;
  }

  /** Counts bytes. @returns false if there is no room for them */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#maxBytes) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}

const MEMORY_BYTES = 1024 * 1024;
const UNWRITTEN_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
const STALL_MS = 600_000;

/**
 * Queues bytes for a sink that may be slower than their source, which never waits for it: a mebibyte in
 * memory, the rest in a file. Owns the file. Order is kept: while the file has data, everything goes through
 * it.
 */
export class Spool {
  readonly #options: SpoolOptions;
  #memory: Buffer[] = [];
  #memoryBytes = 0;
  #file: Promise<FileHandle> | null = null;
  #writing: Promise<void> = Promise.resolve();
  #unwrittenBytes = 0;
  #writeAt = 0;
  #writtenTo = 0;
  #readAt = 0;
  #isEnded = false;
  #isOver = false;
  #isDraining = false;
  #isBusy = false;
  #waiting: Promise<void> | null = null;

  constructor(options: SpoolOptions) {
    this.#options = options;
    options.sink.once('close', () => this.destroy());
  }

  /** Queues bytes; never waits. */
  write(bytes: Buffer): void {
    if (this.#isOver || this.#isEnded || bytes.length === 0) return;
    const { sink, budget } = this.#options;
    if (!this.#isDraining && this.#isEmpty) {
      if (!sink.write(bytes)) void this.#drain();
      return;
    }
    if (!budget.take(bytes.length)) {
      this.#fail('the unread part of the answer exceeds the relay’s limit');
      return;
    }
    if (this.#writeAt === this.#readAt && this.#memoryBytes + bytes.length <= MEMORY_BYTES) {
      this.#memory.push(bytes);
      this.#memoryBytes += bytes.length;
    } else this.#append(bytes);
    void this.#drain();
  }

  /** Call when nothing follows: the sink is ended when it has everything. */
  end(): void {
    if (this.#isOver) return;
    this.#isEnded = true;
    void this.#drain();
  }

  /** Drops the queue. */
  destroy(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.budget.give(this.#memoryBytes + this.#writeAt - this.#readAt);
    this.#memory = [];
    this.#setBusy(false);
    void this.#writing.then(async () => {
      if (this.#file === null) return;
      const handle = await this.#file.catch(() => null);
      await handle?.close();
      await rm(this.#path, { force: true });
    });
  }

  get #isEmpty(): boolean {
    return this.#memoryBytes === 0 && this.#writeAt === this.#readAt;
  }

  get #path(): string {
    return join(this.#options.folder, this.#options.name);
  }

  #append(bytes: Buffer): void {
    this.#file ??= openUnnamed(this.#path);
    const file = this.#file;
    const at = this.#writeAt;
    this.#writeAt += bytes.length;
    this.#unwrittenBytes += bytes.length;
    this.#setBusy(this.#unwrittenBytes > UNWRITTEN_BYTES);
    this.#writing = this.#writing
      .then(async () => {
        if (this.#isOver) return;
        const { bytesWritten } = await (await file).write(bytes, 0, bytes.length, at);
        if (bytesWritten < bytes.length) throw new Error('the disk of this relay is full');
        this.#writtenTo = at + bytes.length;
      })
      .catch((error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        this.#unwrittenBytes -= bytes.length;
        this.#setBusy(!this.#isOver && this.#unwrittenBytes > UNWRITTEN_BYTES);
        void this.#drain();
      });
  }

  async #drain(): Promise<void> {
    if (this.#isDraining || this.#isOver) return;
    this.#isDraining = true;
    try {
      while (!this.#isOver) {
        if (this.#options.sink.writableNeedDrain) await this.#sinkReady();
        const bytes = this.#isOver ? null : await this.#next();
        if (bytes === null || this.#isOver) break;
        this.#options.sink.write(bytes);
      }
      if (this.#isEnded && this.#isEmpty && !this.#isOver) {
        this.#options.sink.end();
        this.destroy();
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isDraining = false;
    }
  }

  /** The oldest bytes; null when there are none, or none that are on the disk yet. */
  async #next(): Promise<Buffer | null> {
    const first = this.#memory.shift();
    if (first !== undefined) {
      this.#memoryBytes -= first.length;
      this.#options.budget.give(first.length);
      return first;
    }
    const length = Math.min(PIECE_BYTES, this.#writtenTo - this.#readAt);
    if (this.#file === null || length === 0) return null;
    const handle = await this.#file;
    if (this.#isOver) return null;
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, this.#readAt);
    if (this.#isOver) return null;
    if (bytesRead === 0) throw new Error('the file of the buffered response has become shorter');
    this.#readAt += bytesRead;
    this.#options.budget.give(bytesRead);
    // Reuse the file from its start.
    if (this.#readAt === this.#writeAt) this.#readAt = this.#writeAt = this.#writtenTo = 0;
    return buffer.subarray(0, bytesRead);
  }

  /** Waits until the sink takes more. @throws Error when the sink is stuck for long */
  async #sinkReady(): Promise<void> {
    const { sink, stallMs = STALL_MS } = this.#options;
    this.#waiting ??= new Promise((resolve, reject) => {
      const stalled = setTimeout(() => settle(new Error('the caller stopped reading')), stallMs);
      const settle = (error: Error | null) => {
        clearTimeout(stalled);
        sink.off('drain', ready);
        sink.off('close', ready);
        this.#waiting = null;
        if (error === null) resolve();
        else reject(error);
      };
      const ready = () => settle(null);
      sink.once('drain', ready);
      sink.once('close', ready);
    });
    await this.#waiting;
  }

  #fail(reason: string): void {
    if (this.#isOver) return;
    this.destroy();
    this.#options.failed(reason);
  }

  #setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    this.#options.busy(isBusy);
  }
}

/**
 * Opens a file that is accessible to its owner only, and unlinked if the system allows it: a killed relay leaves
 * nothing.
 */
async function openUnnamed(path: string): Promise<FileHandle> {
  const handle = await open(path, 'wx+', 0o600);
  if (process.platform !== 'win32') await rm(path, { force: true });
  return handle;
}
