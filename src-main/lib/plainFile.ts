import { closeSync, constants, fstatSync, openSync, readFile, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** The code of the error {@link readPlainFile} throws for what is there but no plain file. */
export const NOT_PLAIN = 'EINVAL';

/** The code of its error for what is longer than asked for. */
export const TOO_LONG = 'EFBIG';

/** Read at once: a copy out of the system's memory, mostly. More is left to the thread pool. */
const AT_ONCE_BYTES = 256 * 1024;

const readLater: (file: number) => Promise<Buffer> = promisify(readFile);

/**
 * The bytes of a plain file. A pipe in its place would be waited for as long as nobody writes to it, a device may
 * never end: whoever reads a folder that came from elsewhere reads it by this.
 * @throws NodeJS.ErrnoException as `readFile`; with code {@link NOT_PLAIN} for a folder, a pipe, a device, and with
 * {@link TOO_LONG} for what is longer than `maxBytes`
 */
export async function readPlainFile(
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY }: { readonly maxBytes?: number } = {},
): Promise<Buffer> {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw refusal(NOT_PLAIN, `${path} is not a plain file`, path);
    if (found.size > maxBytes) throw refusal(TOO_LONG, `${path} is longer than ${maxBytes} bytes`, path);
    return found.size <= AT_ONCE_BYTES ? readFileSync(file) : await readLater(file);
  } finally {
    closeSync(file);
  }
}

function refusal(code: string, message: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code, syscall: 'read', path });
}
