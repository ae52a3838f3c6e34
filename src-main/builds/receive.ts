/** Receives the body of an upload into a file, for the output of a signed build. */

import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newFile } from '../lib/newFile.ts';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';
import { BuildRefusal } from './buildRefusal.ts';

export interface Incoming {
  readonly stream: Readable;
  /** Content-Length; null if absent. */
  readonly declaredBytes: number | null;
}

/**
 * Streams a body to its own file, flushed before it gets its final name: an incomplete upload does not change
 * the previous one. `mayReplace` is called last. @returns its length @throws BuildRefusal 413 above
 * `maxBytes`, declared or measured; 400 if it broke off
 */
export async function receiveFile(
  { stream, declaredBytes }: Incoming,
  {
    dir,
    name,
    maxBytes,
    mayReplace,
  }: { readonly dir: string; readonly name: string; readonly maxBytes: number; mayReplace(): void },
): Promise<number> {
  const tooLarge = (bytes: number): BuildRefusal =>
    new BuildRefusal(
      413,
      `The output is ${bytes} bytes or more; at most ${maxBytes} are taken`,
      'OUTPUT_TOO_LARGE',
    );
  if (declaredBytes !== null && declaredBytes > maxBytes) throw tooLarge(declaredBytes);
  await mkdir(dir, { recursive: true, mode: PRIVATE_FOLDER });
  const temporary = join(dir, `.upload-${randomBytes(9).toString('hex')}`);
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > maxBytes ? tooLarge(bytes) : null, chunk);
    },
  });
  try {
    await pipeline(stream, measure, newFile(temporary, { flush: true })).catch((error: unknown) => {
      throw brokeOff(error) ? new BuildRefusal(400, 'The upload was interrupted') : error;
    });
    if (declaredBytes !== null && bytes !== declaredBytes)
      throw new BuildRefusal(400, 'The upload was interrupted');
    mayReplace();
    await rename(temporary, join(dir, name));
    return bytes;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function brokeOff(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'HPE_INVALID_EOF_STATE'].includes(code);
}
