import { createWriteStream, type WriteStream } from 'node:fs';

/** What comes while the disk is at it goes there in one go, instead of each piece by itself. */
const GATHERED_BYTES = 1024 * 1024;

/** A stream into a file of this user alone that is not there yet. @param flush on the disk before it is closed */
export function newFile(path: string, { flush = false }: { readonly flush?: boolean } = {}): WriteStream {
  return createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: GATHERED_BYTES, flush });
}
