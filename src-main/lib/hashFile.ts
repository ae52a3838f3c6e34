/** Hashes files and bytes with SHA-256, large ones off the event loop. */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { AskThread } from './askThread.ts';
import { NOT_PLAIN } from './plainFile.ts';

/** Up to this size, hashing synchronously is cheaper than a thread. */
export const SMALL_BYTES = 64 * 1024;

/** SHA-256 hex of bytes in memory; more than SMALL_BYTES on the thread pool. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength <= SMALL_BYTES) return createHash('sha256').update(bytes).digest('hex');
  // Views on shared memory are not accepted there, and only a copy cannot change in the meantime.
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return Buffer.from(digest).toString('hex');
}

/** SHA-256 hex of a file, off the event loop unless it is small. @throws as `stat` and `read` do */
export async function hashFile(path: string): Promise<string> {
  const stats = statSync(path);
  // Reading a pipe would block, and a device has no end.
  if (!stats.isFile()) throw Object.assign(new Error(`${path} is not a plain file`), { code: NOT_PLAIN });
  const { size } = stats;
  if (size <= SMALL_BYTES) return hashBytes(readFileSync(path));
  return shared.ask(path);
}

const shared = new AskThread<string, string>({
  name: 'hashing',
  code: `
const { createHash } = require('node:crypto');
const { openSync, readSync, closeSync } = require('node:fs');
const chunk = Buffer.allocUnsafeSlow(1 << 20);
function answer(path) {
  const file = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    for (let read; (read = readSync(file, chunk, 0, chunk.length, null)) > 0; ) hash.update(chunk.subarray(0, read));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}`,
});
