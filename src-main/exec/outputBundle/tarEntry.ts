/** Writes the headers and the padding of files in the tar of an output bundle. */

import { once } from 'node:events';
import { type Header, pack } from 'tar-stream';

const BLOCK = 512;

/** The end of a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/**
 * The bytes before a file in a tar: its header and, before that, its name when that is long. The library only makes
 * the header; the file is sent directly from disk, not through the library's stream.
 */
export function tarHeader(name: string, bytes: number): Promise<Buffer> {
  return headerOf({ name, size: bytes });
}

/** A hard link to an earlier file in the tar: only a header, without content. */
export function tarLink(name: string, target: string): Promise<Buffer> {
  return headerOf({ name, type: 'link', linkname: target, size: 0 });
}

async function headerOf(header: Partial<Header> & Pick<Header, 'name'>): Promise<Buffer> {
  const tar = pack();
  tar.entry({ ...header, mode: 0o600, mtime: new Date(0) });
  await once(tar, 'readable');
  const parts: Buffer[] = [];
  for (let part: unknown = tar.read(); Buffer.isBuffer(part); part = tar.read()) parts.push(part);
  tar.destroy();
  return Buffer.concat(parts);
}

/** The padding after a file of that length, up to the next whole block. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}
