import { AppError } from '../../../src-shared/wire/errors.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { HeldElsewhere, type WriterClaim } from './writerClaim.ts';

/**
 * A folder that can be read and not written to: on a read-only disk, without the permission, or open in another Cellar
 * on another machine that shares it. It opens to be looked at, as an untrusted folder does, and says why.
 */

const LOCKED: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);

/**
 * Takes the folder for writing.
 * @returns why it can only be read, as the banner and every refusal say it; null: it is taken
 */
export async function whyReadOnly(dir: string, claim: WriterClaim): Promise<string | null> {
  try {
    await claim.take();
    return null;
  } catch (error) {
    if (error instanceof HeldElsewhere) {
      return `This notebook is open in Cellar on ${error.host}, so it is read-only here. You can view code and results, but not edit or run cells. Close it there, then reopen it here. If that machine is gone, delete .svc/writer.lock in the notebook folder.`;
    }
    if (!LOCKED.has(errnoOf(error) ?? '')) throw error;
    return `The folder ${dir} is not writable, so this notebook is read-only. You can view code and results, but not edit or run cells. Change the permissions, or copy the folder to a writable disk, then reopen it.`;
  }
}

/** A claim that nobody can make. */
export function refusedClaim(words: string): WriterClaim {
  return {
    isTaken: () => false,
    take: () => Promise.reject(new AppError('read_only', words)),
    release: async () => undefined,
  };
}
