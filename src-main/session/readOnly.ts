import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
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
      return `This notebook is open in another Cellar, on ${error.host}, so it is read-only here: you see its texts and results, and changes and runs are refused. Close it there, then open it again. If that machine is gone, remove .svc/writer.lock in the notebook.`;
    }
    if (!LOCKED.has(errnoOf(error) ?? '')) throw error;
    return `The folder ${dir} cannot be written to, so this notebook is read-only: you see its texts and results, and changes and runs are refused. Change the permissions, or copy the folder to a disk you can write to, then open it again.`;
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
