import { once } from 'node:events';
import { pack } from 'tar-stream';

const BLOCK = 512;

/** Ends a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/**
 * What stands before a plain file in a tar: its header, and before that its name where that is long. The library
 * writes it; the file itself goes out from where it lies, without a pass through the library's stream.
 */
export async function tarHeader(name: string, bytes: number): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name, size: bytes, mode: 0o600, mtime: new Date(0) });
  await once(tar, 'readable');
  const parts: Buffer[] = [];
  for (let part: unknown = tar.read(); Buffer.isBuffer(part); part = tar.read()) parts.push(part);
  tar.destroy();
  return Buffer.concat(parts);
}

/** What stands behind a file of that length, up to the next whole block. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}
