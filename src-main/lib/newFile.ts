/** Opens a write stream to a new file that only this user can access. */

import { createWriteStream, type WriteStream } from 'node:fs';

/** The size of the stream's buffer: chunks that arrive during a write are written together. */
const BUFFERED_BYTES = 1024 * 1024;

/** A stream to a new file with access for this user only. @param flush to disk before it is closed */
export function newFile(path: string, { flush = false }: { readonly flush?: boolean } = {}): WriteStream {
  return createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: BUFFERED_BYTES, flush });
}
