/** Writes the output of a command (`--out`) to a file or to standard output. */

import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errnoOf, nullIfMissing } from '../lib/atomicFile.ts';
import { UsageError } from './arguments.ts';

/**
 * Writes the output of a command to a file, or to standard output. Writes to a temporary file first: an existing file
 * stays complete until the new one is, and a partial one is removed.
 * @returns the number of bytes
 * @throws UsageError if the file cannot be written; errors of the pieces
 */
export async function writeOut(pieces: AsyncIterable<Uint8Array>, out: string | null): Promise<number> {
  let bytes = 0;
  async function* counted() {
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      yield piece;
    }
  }
  if (out === null) {
    try {
      await pipeline(Readable.from(counted()), process.stdout, { end: false });
    } catch (error) {
      // The reader has seen enough, like `head` after ten lines.
      if (errnoOf(error) !== 'EPIPE') throw error;
    }
    return bytes;
  }
  const part = `${out}.part-${process.pid}`;
  try {
    await pipeline(Readable.from(counted()), createWriteStream(part, { flags: 'wx', flush: true }));
    await rename(part, out);
    return bytes;
  } catch (error) {
    await rm(part, { force: true }).catch(nullIfMissing);
    if (isOfFile(error, part)) throw new UsageError(`${out} cannot be written: ${error.message}`);
    throw error;
  }
}

/** A missing folder or a full disk: the system's error for this file, not for one that is read. */
function isOfFile(error: unknown, path: string): error is Error {
  if (!(error instanceof Error) || !('syscall' in error)) return false;
  return error.syscall === 'write' || error.syscall === 'fsync' || ('path' in error && error.path === path);
}
