import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { syncDirectory } from '../../lib/atomicFile.ts';
import { PRIVATE_FOLDER } from '../../lib/privateFiles.ts';
import { FetchProblem } from './openUrl.ts';

const PART = '.part-';

export interface DownloadOptions {
  /** The cache's folder; the file becomes `<folder>/<sha256>/<filename>`. */
  readonly folder: string;
  readonly filename: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The digest it has to have; anything else is thrown away. */
  readonly pin: string | null;
}

export type Downloaded =
  | { readonly kind: 'kept'; readonly sha256: string }
  | { readonly kind: 'mismatch'; readonly sha256: string };

/**
 * Streams a body to disk, hashing on the way. It gets its name only when all of it is there and synced: a kill leaves
 * a `.part` file that nothing reads.
 * @throws FetchProblem where it is too large; the stream's error where it breaks off
 */
export async function download(body: IncomingMessage, options: DownloadOptions): Promise<Downloaded> {
  const { folder, filename, maxBytes, signal, pin } = options;
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
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
    const announced = Number(body.headers['content-length'] ?? 0);
    if (announced > maxBytes) throw tooLarge(maxBytes);
    const steps = [body, ...decodersOf(body), counting, createWriteStream(part, { flags: 'wx' })];
    // The steps are a readable, transforms and a writable; the list loses which is which.
    await pipeline(steps as [Readable, Transform, ReturnType<typeof createWriteStream>], { signal });
    const sha256 = hash.digest('hex');
    if (pin !== null && sha256 !== pin) return { kind: 'mismatch', sha256 };
    const file = await open(part, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    // Cells get its path: what they read is what was hashed.
    await chmod(part, 0o444);
    await mkdir(join(folder, sha256), { recursive: true, mode: PRIVATE_FOLDER });
    await rename(part, join(folder, sha256, filename));
    await syncDirectory(join(folder, sha256));
    return { kind: 'kept', sha256 };
  } finally {
    body.destroy();
    await rm(part, { force: true });
  }
}

/** Removes what downloads that were killed left behind. */
export async function sweepParts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const parts = names.filter((name) => name.startsWith(PART));
  await Promise.all(parts.map((name) => rm(join(folder, name), { force: true })));
}

function tooLarge(maxBytes: number): FetchProblem {
  return new FetchProblem(`It is larger than the limit of ${Math.floor(maxBytes / 2 ** 20)} MiB.`);
}

/** No encoding was asked for; what a server encodes all the same is decoded, so that the digest is of the file. */
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
