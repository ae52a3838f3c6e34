/** Writes a zip as a stream, for exports: no file of it is in memory as a whole. */

import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** One member of a zip: its bytes, or an open file, which the writer closes. */
export type ZipMember =
  | { readonly path: string; readonly bytes: Buffer }
  | { readonly path: string; readonly handle: FileHandle; readonly compress: boolean };

/**
 * Creates a zip while it is read: only a few kilobytes of a member's file are in memory at a time, and the
 * next member is requested when the previous one is done. Creation ends when reading stops. @throws the
 * errors of `members`, and the error of a file that cannot be read completely
 */
export async function* zipPieces(members: AsyncIterable<ZipMember>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  const stop = new AbortController();
  zip.on('error', (error: Error) => out.destroy(error));
  const feeding = feed(zip, members, stop.signal).catch((error: unknown) => {
    out.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  try {
    for await (const piece of out) yield piece as Uint8Array; // a byte stream
  } finally {
    stop.abort();
    out.destroy();
    await feeding;
  }
}

async function feed(zip: ZipFile, members: AsyncIterable<ZipMember>, signal: AbortSignal): Promise<void> {
  for await (const member of members) {
    if ('bytes' in member) {
      if (signal.aborted) return;
      zip.addBuffer(member.bytes, member.path);
      continue;
    }
    const file = member.handle.createReadStream();
    if (signal.aborted) {
      file.destroy();
      return;
    }
    const closed = once(file, 'close');
    const end = (): void => void file.destroy();
    signal.addEventListener('abort', end, { once: true });
    zip.addReadStream(file, member.path, { compress: member.compress });
    file.once('error', (error) => zip.emit('error', error));
    await closed;
    signal.removeEventListener('abort', end);
    if (signal.aborted) return;
  }
  zip.end();
}
