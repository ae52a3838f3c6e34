import { once } from 'node:events';
import { type Header, pack } from 'tar-stream';

const BLOCK = 512;

/** Ends a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/**
 * What stands before a plain file in a tar: its header, and before that its name where that is long. The library
 * writes it; the file itself goes out from where it lies, without a pass through the library's stream.
 */
export function tarHeader(name: string, bytes: number): Promise<Buffer> {
  return headerOf({ name, size: bytes });
}

/** A hard link to a file before it in the tar: a header alone, without bytes of its own. */
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

/** What stands behind a file of that length, up to the next whole block. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}
