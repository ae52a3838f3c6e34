import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The state of a folder's files in one digest. */
export interface FolderPrint {
  readonly token: string;
  readonly files: number;
  readonly bytes: number;
}

/** A folder of more entries than this is walked on a thread of its own. */
const SMALL_ENTRIES = 400;

/**
 * Fingerprint of a folder: every file's path, size and change time, sorted (semantics 11). Large folders are walked
 * away from the event loop; links to folders are not followed, so that no walk goes in circles.
 * @throws as `readdir` and `stat` do
 */
export async function folderPrint(dir: string): Promise<FolderPrint> {
  return (await smallPrint(dir)) ?? shared.print(dir);
}

interface Found {
  readonly name: string;
  readonly line: string;
  readonly bytes: number;
}

/** The same digest as the thread's; null once the folder turns out to be large. */
async function smallPrint(dir: string): Promise<FolderPrint | null> {
  const found: Found[] = [];
  let entries = 0;
  const walk = async (folder: string, prefix: string): Promise<boolean> => {
    const listed = await readdir(folder, { withFileTypes: true });
    entries += listed.length;
    if (entries > SMALL_ENTRIES) return false;
    for (const entry of listed) {
      const name = prefix + entry.name;
      if (entry.isDirectory()) {
        if (!(await walk(join(folder, entry.name), `${name}/`))) return false;
        continue;
      }
      const seen = await stat(join(folder, entry.name), { bigint: true }).catch(goneIsNull);
      if (seen === null) found.push({ name, line: `${name}:gone`, bytes: 0 });
      else found.push({ name, line: `${name}:${seen.size}:${seen.mtimeNs}`, bytes: Number(seen.size) });
    }
    return true;
  };
  if (!(await walk(dir, ''))) return null;
  found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const hash = createHash('sha256');
  for (const { line } of found) hash.update(`${line}\n`);
  const bytes = found.reduce((sum, { bytes: size }) => sum + size, 0);
  return { token: hash.digest('hex'), files: found.length, bytes };
}

/** A file that goes while the folder is read, or a link to nowhere. */
function goneIsNull(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/** Plain JavaScript in a string, so that it needs no file of its own beside a bundle. */
const THREAD = `
const { parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { readdirSync, statSync } = require('node:fs');
const { join } = require('node:path');
function walk(folder, prefix, found) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = prefix + entry.name;
    if (entry.isDirectory()) { walk(join(folder, entry.name), name + '/', found); continue; }
    const seen = statSync(join(folder, entry.name), { bigint: true, throwIfNoEntry: false });
    found.push(seen === undefined ? { name, line: name + ':gone', bytes: 0 }
      : { name, line: name + ':' + seen.size + ':' + seen.mtimeNs, bytes: Number(seen.size) });
  }
}
parentPort.on('message', ({ id, dir }) => {
  try {
    const found = [];
    walk(dir, '', found);
    found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const hash = createHash('sha256');
    let bytes = 0;
    for (const one of found) { hash.update(one.line + '\\n'); bytes += one.bytes; }
    parentPort.postMessage({ id, print: { token: hash.digest('hex'), files: found.length, bytes } });
  } catch (error) {
    parentPort.postMessage({ id, code: String(error.code ?? ''), message: String(error.message) });
  }
});
`;

type Answer =
  | { readonly id: number; readonly print: FolderPrint }
  | { readonly id: number; readonly code: string; readonly message: string };

interface Waiting {
  readonly resolve: (print: FolderPrint) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread for the whole process, started at the first large folder; it never keeps the process alive by itself. */
class FolderThread {
  #worker: Worker | null = null;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();

  print(dir: string): Promise<FolderPrint> {
    const worker = this.#worker ?? this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, dir });
    });
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { eval: true, name: 'folders', execArgv: [] });
    worker.on('message', (answer: Answer) => this.#settle(worker, answer));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', (code) => this.#lost(worker, new Error(`the folder thread ended (${code})`)));
    this.#worker = worker;
    return worker;
  }

  #settle(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('print' in answer) waiting?.resolve(answer.print);
    else waiting?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
  }

  /** Told twice of one end (error, then exit): only the thread in use counts. */
  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(error);
  }
}

const shared = new FolderThread();
