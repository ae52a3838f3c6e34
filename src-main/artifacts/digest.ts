import { type BigIntStats, statSync } from 'node:fs';
import { hashFile, SMALL_BYTES } from '../lib/hashFile.ts';
import { NOT_PLAIN } from '../lib/plainFile.ts';
import { errorCode } from './errorCode.ts';

/** What must be unchanged for bytes once found right to be believed again. A rename changes none of it. */
export type Seen = string;

/** A digest being computed of a file that was `seen` like this before the first byte was read. */
export interface EarlyDigest {
  readonly seen: Seen;
  readonly digest: Promise<string | null>;
}

/**
 * Begins to hash a large file, so that it is checked while it is synced and named: its first reader mostly comes right
 * after. Null for a file whose check takes no time.
 */
export function beginDigest(path: string, byteSize: number): EarlyDigest | null {
  if (byteSize <= SMALL_BYTES) return null;
  const seen = seenNow(path);
  if (seen === null) return null;
  const digest = digestOf(path);
  // Who checks the blob hears of a failure; nobody does where the publication fails.
  digest.catch(() => undefined);
  return { seen, digest };
}

/** Null when the file went away meanwhile. */
export async function digestOf(path: string): Promise<string | null> {
  try {
    return await hashFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // It is set aside like a blob with other bytes.
    if (errorCode(error) === NOT_PLAIN) return 'no plain file';
    throw error;
  }
}

/** Null when there is no such file. Nanoseconds, for a change within one millisecond counts too. */
export function seenNow(path: string): Seen | null {
  const info: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info === undefined ? null : `${info.size}:${info.mtimeNs}:${info.ino}`;
}
