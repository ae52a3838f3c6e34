import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownerMayLive, ownerName } from '../../artifacts/blobFolder.ts';

/** Below the app's own data, where a session keeps what it may not write into an untrusted folder. */
const FOLDER = 'untrusted';

/** A new folder of this process's own. What processes left that were killed is removed. */
export async function makeScratch(cacheDir: string): Promise<string> {
  const parent = join(cacheDir, FOLDER);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    if (!ownerMayLive(name)) await removeScratch(join(parent, name));
  }
  const scratch = join(parent, ownerName(process.pid));
  await mkdir(scratch, { mode: 0o700 });
  return scratch;
}

/** Removes it with all that it holds. */
export async function removeScratch(scratch: string): Promise<void> {
  await rm(scratch, { recursive: true, force: true });
}
