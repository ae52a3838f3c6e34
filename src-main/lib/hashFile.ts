import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

/** Up to this many bytes are hashed where they are; handing them to a thread would cost more. */
export const SMALL_BYTES = 64 * 1024;

/** SHA-256 hex of bytes in memory; more than SMALL_BYTES on the thread pool. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength <= SMALL_BYTES) return createHash('sha256').update(bytes).digest('hex');
  // A view on shared memory is not accepted there, and a copy is what makes the bytes ours meanwhile.
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return Buffer.from(digest).toString('hex');
}

/** SHA-256 hex of a file, off the event loop unless it is small. @throws as `stat` and `read` do */
export async function hashFile(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size <= SMALL_BYTES) return hashBytes(await readFile(path));
  return shared.hash(path);
}

type Answer =
  | { readonly id: number; readonly sha256: string }
  | { readonly id: number; readonly code: string; readonly message: string };

/** Plain JavaScript in a string, so that it needs no file of its own beside a bundle. */
const THREAD = `
const { parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { openSync, readSync, closeSync } = require('node:fs');
const chunk = Buffer.allocUnsafeSlow(1 << 20);
parentPort.on('message', ({ id, path }) => {
  let file;
  try {
    file = openSync(path, 'r');
    const hash = createHash('sha256');
    for (let read; (read = readSync(file, chunk, 0, chunk.length, null)) > 0; ) hash.update(chunk.subarray(0, read));
    parentPort.postMessage({ id, sha256: hash.digest('hex') });
  } catch (error) {
    parentPort.postMessage({ id, code: String(error.code ?? ''), message: String(error.message) });
  } finally {
    if (file !== undefined) closeSync(file);
  }
});
`;

interface Waiting {
  readonly resolve: (sha256: string) => void;
  readonly reject: (error: Error) => void;
}

/** One thread for the whole process, started at the first large file; it never keeps the process alive by itself. */
class HashThread {
  #worker: Worker | null = null;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();

  hash(path: string): Promise<string> {
    const worker = this.#worker ?? this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, path });
    });
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { eval: true, name: 'hash', execArgv: [] });
    worker.on('message', (answer: Answer) => this.#settle(worker, answer));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (code) => this.#lost(worker, new Error(`the hashing thread ended (${code})`)));
    this.#worker = worker;
    return worker;
  }

  #settle(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('sha256' in answer) waiting?.resolve(answer.sha256);
    else waiting?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
  }

  /** Told twice of one end (error, then exit): only the thread in use counts. */
  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(error instanceof Error ? error : new Error(String(error)));
  }
}

const shared = new HashThread();
