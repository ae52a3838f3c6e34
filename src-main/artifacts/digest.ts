/** Computes the SHA-256 of stored files, together with the file's stats, so that a later change is noticed. */

import { type BigIntStats, statSync } from 'node:fs';
import { hashFile, SMALL_BYTES } from '../lib/hashFile.ts';
import { NOT_PLAIN } from '../lib/plainFile.ts';
import { errorCode } from './errorCode.ts';

/** The stats that must be unchanged for verified bytes to stay trusted. A rename changes none of them. */
export type FileStamp = string;

/** A digest being computed of a file that had these stats (`seen`) before the first byte was read. */
export interface EarlyDigest {
  readonly seen: FileStamp;
  readonly digest: Promise<string | null>;
}

/**
 * Starts to hash a large file while it is synced and renamed, because its first reader usually follows
 * immediately. Null for a small file.
 */
export function beginDigest(path: string, byteSize: number): EarlyDigest | null {
  if (byteSize <= SMALL_BYTES) return null;
  const stats = fileStampOf(path);
  if (stats === null) return null;
  const digest = digestOf(path);
  // The check of the blob reports a failure; after a failed publication nothing does.
  digest.catch(() => undefined);
  return { seen: stats, digest };
}

/** The digest of a file; null when it was removed in the meantime. */
export async function digestOf(path: string): Promise<string | null> {
  try {
    return await hashFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // Set aside like a blob with wrong bytes.
    if (errorCode(error) === NOT_PLAIN) return 'no plain file';
    throw error;
  }
}

/**
 * The stats of a file as text; null when there is no such file. In nanoseconds, because a change within one millisecond
 * counts too.
 */
export function fileStampOf(path: string): FileStamp | null {
  const info: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info === undefined ? null : `${info.size}:${info.mtimeNs}:${info.ino}`;
}
