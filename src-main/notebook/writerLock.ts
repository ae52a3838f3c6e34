import { existsSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { type Lock, takeLock } from '../lib/lockFile.ts';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';

/** One writer per notebook folder, across processes: `.svc/writer.lock` names who writes. */
export type Writer = Lock;

/**
 * Runs clear and fill `.svc` without asking. A folder from somebody else may bring a link there instead, which
 * would turn that on the person's own files.
 */
async function refuseLink(folder: string): Promise<void> {
  if (!(await lstat(folder)).isSymbolicLink()) return;
  throw new AppError(
    'bad_request',
    `${folder} is a link. What Cellar keeps there it also deletes, so it must be a real folder: remove the link.`,
  );
}

/**
 * Takes the folder for writing, or says who has it. A session of this process holds it like any other. A folder that
 * was deleted a moment ago is not made anew.
 * @throws AppError bad_request where `.svc` is a link, not_found where there is no folder (any more)
 */
export async function acquireWriter(dir: string): Promise<Writer> {
  try {
    return await take(dir);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || existsSync(dir)) throw error;
    throw new AppError('not_found', `There is no folder ${dir}; it may have been moved or deleted just now.`);
  }
}

async function take(dir: string): Promise<Writer> {
  const folder = join(dir, '.svc');
  await mkdir(folder, { mode: PRIVATE_FOLDER }).catch(async (error: unknown) => {
    if (errnoOf(error) !== 'EEXIST' || (await lstat(folder)).isFile()) throw error;
  });
  await refuseLink(folder);
  return takeLock(join(folder, 'writer.lock'));
}
