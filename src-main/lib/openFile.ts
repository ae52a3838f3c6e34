import { fsync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** What is done with a file that is open, by its number. */

/** Written at once: a copy into the system's memory. More is given to the thread pool. */
const AT_ONCE_BYTES = 256 * 1024;

const writeLater = promisify(write);

/** Waits until the bytes of a file, or the names of a folder, are on the disk. */
export const flushFile: (file: number) => Promise<void> = promisify(fsync);

/** Every byte, or the system's error. */
export async function writeAll(file: number, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const isShort = bytes.byteLength <= AT_ONCE_BYTES;
  for (let done = 0; done < bytes.byteLength; ) {
    const left = bytes.byteLength - done;
    // A disk that is nearly full takes a part, and refuses the next in words.
    done += isShort
      ? writeSync(file, bytes, done, left)
      : (await writeLater(file, bytes, done, left)).bytesWritten;
  }
}

/** Every byte, from a place of the file on, or the system's error. */
export async function writeAllAt(file: number, bytes: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    const left = bytes.byteLength - done;
    done += (await writeLater(file, bytes, done, left, from + done)).bytesWritten;
  }
}
