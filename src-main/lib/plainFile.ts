/** Reads plain files, and refuses pipes, devices and files that are too long. */

import { closeSync, constants, fstatSync, openSync, readFile, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** The code of {@link readPlainFile}'s error for anything but a plain file. */
export const NOT_PLAIN = 'EINVAL';

/** The code of its error for a file longer than the limit. */
export const TOO_LONG = 'EFBIG';

/**
 * Files up to this size are read synchronously, mostly from the page cache. Larger ones go through the thread
 * pool.
 */
const MAX_SYNC_BYTES = 256 * 1024;

const readLater: (file: number) => Promise<Buffer> = promisify(readFile);

/**
 * The bytes of a plain file. Reading a pipe would block until something writes to it, and a device may never
 * end, so use this for folders of unknown origin. @throws NodeJS.ErrnoException as `readFile`; with code
 * {@link NOT_PLAIN} for a folder, a pipe, a device, and with {@link TOO_LONG} for a file longer than
 * `maxBytes`
 */
export async function readPlainFile(
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY }: { readonly maxBytes?: number } = {},
): Promise<Buffer> {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw refusal(NOT_PLAIN, `${path} is not a plain file`, path);
    if (stats.size > maxBytes) throw refusal(TOO_LONG, `${path} is longer than ${maxBytes} bytes`, path);
    return stats.size <= MAX_SYNC_BYTES ? readFileSync(file) : await readLater(file);
  } finally {
    closeSync(file);
  }
}

function refusal(code: string, message: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code, syscall: 'read', path });
}
