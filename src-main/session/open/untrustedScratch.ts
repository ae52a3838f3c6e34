/** Makes and removes the folder, outside the notebook, for what a session may not write to an untrusted folder. */

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownerMayLive, ownerName } from '../../artifacts/blobFolder.ts';

/** Folder below the app's own data for what a session may not write to an untrusted folder. */
const FOLDER = 'untrusted';

/** Creates a new folder for this process. Removes folders of killed processes. */
export async function makeUntrustedScratch(cacheDir: string): Promise<string> {
  const parent = join(cacheDir, FOLDER);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    if (!ownerMayLive(name)) await removeUntrustedScratch(join(parent, name));
  }
  const scratch = join(parent, ownerName(process.pid));
  await mkdir(scratch, { mode: 0o700 });
  return scratch;
}

/** Removes the folder with its content. */
export async function removeUntrustedScratch(scratch: string): Promise<void> {
  await rm(scratch, { recursive: true, force: true });
}
