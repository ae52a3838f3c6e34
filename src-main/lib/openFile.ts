/** Writes and flushes files that are already open. */

import { fsync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** Up to this size writes are synchronous, into the page cache. Larger ones go through the thread pool. */
const MAX_SYNC_BYTES = 256 * 1024;

const writeLater = promisify(write);

/** Flushes the bytes of a file, or the names of a folder, to disk. */
export const flushFile: (file: number) => Promise<void> = promisify(fsync);

/** Writes every byte, or throws the system's error. */
export async function writeAll(file: number, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const isShort = bytes.byteLength <= MAX_SYNC_BYTES;
  for (let written = 0; written < bytes.byteLength; ) {
    const remaining = bytes.byteLength - written;
    // A nearly full disk accepts a part and fails on the next write.
    written += isShort
      ? writeSync(file, bytes, written, remaining)
      : (await writeLater(file, bytes, written, remaining)).bytesWritten;
  }
}

/** Writes every byte at an offset of the file, or throws the system's error. */
export async function writeAllAt(file: number, bytes: Uint8Array, from: number): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) {
    const remaining = bytes.byteLength - written;
    written += (await writeLater(file, bytes, written, remaining, from + written)).bytesWritten;
  }
}
