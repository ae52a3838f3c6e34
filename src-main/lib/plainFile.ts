import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** The code of the error {@link readPlainFile} throws for what is there but no plain file. */
export const NOT_PLAIN = 'EINVAL';

/**
 * The bytes of a plain file. A pipe in its place would be waited for as long as nobody writes to it, a device may
 * never end: whoever reads a folder that came from elsewhere reads it by this.
 * @throws NodeJS.ErrnoException as `readFile`; with code {@link NOT_PLAIN} for a folder, a pipe, a device
 */
export async function readPlainFile(path: string): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if ((await handle.stat()).isFile()) return await handle.readFile();
  } finally {
    await handle.close();
  }
  const refusal: NodeJS.ErrnoException = new Error(`${path} is not a plain file`);
  throw Object.assign(refusal, { code: NOT_PLAIN, syscall: 'read', path });
}

/**
 * Whether a path holds exactly these bytes now (null: no file). Synchronous, so that what depends on it can be done
 * before anything else of this process happens. What is no plain file, or cannot be read, holds something else.
 */
export function fileHolds(path: string, expected: Uint8Array | null): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return expected === null;
    if (code === 'EACCES' || code === 'ELOOP' || code === 'ENXIO' || code === 'ENOTDIR') return false;
    throw error;
  }
  try {
    const found = fstatSync(descriptor);
    if (expected === null || !found.isFile() || found.size !== expected.length) return false;
    return readFileSync(descriptor).equals(expected);
  } finally {
    closeSync(descriptor);
  }
}
