import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errnoOf, nullIfMissing } from '../lib/atomicFile.ts';
import { UsageError } from './arguments.ts';

/**
 * Writes what a verb makes to a file, or to standard output. Beside its place first: a file that is there stays whole
 * until the new one is, and of one that breaks off nothing is left.
 * @returns how many bytes that were
 * @throws UsageError where the file cannot be written; whatever making the pieces throws
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
      // Who reads has seen enough, as `head` has after ten lines.
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

/** A folder that is not there, a full disk: the system's word about this file, not about what is read for it. */
function isOfFile(error: unknown, path: string): error is Error {
  if (!(error instanceof Error) || !('syscall' in error)) return false;
  return error.syscall === 'write' || error.syscall === 'fsync' || ('path' in error && error.path === path);
}
