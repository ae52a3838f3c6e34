/**
 * Downloads the file of a `@fetch` line into the notebook's cache, under a size limit and against its
 * required digest.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errnoOf, syncDirectory } from '../../lib/atomicFile.ts';
import { moveTo, removeFile } from '../../lib/guardedFolder/names.ts';
import { namesIn } from '../../lib/guardedFolder/read.ts';
import { setMode, streamTo } from '../../lib/guardedFolder/replace.ts';
import { makePrivateFolder } from '../../lib/makePrivateFolder.ts';
import { FetchProblem } from './openUrl.ts';

const PART = '.part-';

interface DownloadOptions {
  /** The cache's folder; the file becomes `<folder>/<sha256>/<filename>`. */
  readonly folder: string;
  readonly filename: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The required digest; other content is discarded. */
  readonly pin: string | null;
}

export type DownloadResult =
  | { readonly kind: 'kept'; readonly sha256: string }
  | { readonly kind: 'mismatch'; readonly sha256: string };

/**
 * Streams a body to disk and hashes it. The file gets its final name only when it is complete and synced: a
 * kill leaves a `.part` file that nothing reads. @throws FetchProblem if it is too large; the stream's error
 * if it breaks off
 */
export async function download(body: IncomingMessage, options: DownloadOptions): Promise<DownloadResult> {
  const { folder, filename, maxBytes, signal, pin } = options;
  makePrivateFolder(folder);
  const part = join(folder, `${PART}${process.pid}-${randomBytes(6).toString('hex')}`);
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return done(tooLarge(maxBytes));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const announcedBytes = Number(body.headers['content-length'] ?? 0);
    if (announcedBytes > maxBytes) throw tooLarge(maxBytes);
    const steps = [body, ...decodersOf(body), counting, streamTo(part, { flush: true })];
    // The steps are a readable, transforms and a writable; the array type does not express that.
    await pipeline(steps as [Readable, Transform, ReturnType<typeof streamTo>], { signal });
    const sha256 = hash.digest('hex');
    if (pin !== null && sha256 !== pin) return { kind: 'mismatch', sha256 };
    // Cells get this path: they must read what was hashed.
    setMode(part, 0o444);
    makePrivateFolder(join(folder, sha256));
    moveTo(part, join(folder, sha256, filename));
    await syncDirectory(join(folder, sha256));
    return { kind: 'kept', sha256 };
  } finally {
    body.destroy();
    removeFile(part);
  }
}

/** Removes leftovers of killed downloads. */
export async function sweepParts(folder: string): Promise<void> {
  for (const name of listed(folder)) if (name.startsWith(PART)) removeFile(join(folder, name));
}

/** The names in a folder; an unreadable folder counts as empty. */
function listed(folder: string): readonly string[] {
  try {
    return namesIn(folder);
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return [];
  }
}

function tooLarge(maxBytes: number): FetchProblem {
  return new FetchProblem(`It is larger than the limit of ${Math.floor(maxBytes / 2 ** 20)} MiB.`);
}

/**
 * The decoders for a body. No encoding was requested; if a server still encodes, the body is decoded, so that the
 * digest is that of the file.
 */
function decodersOf({ headers }: IncomingMessage): Transform[] {
  switch (headers['content-encoding']?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return [createGunzip()];
    case 'br':
      return [createBrotliDecompress()];
    case 'deflate':
      return [createInflate()];
    default:
      return [];
  }
}
