/** A folder of files that no notebook may change, for tests of hostile input. */

import { lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Fills a folder with files of a user that no notebook may change. */
export async function makeVictim(dir: string): Promise<void> {
  for (const folder of ['letters', 'config', 'other', 'python/bin']) {
    await mkdir(join(dir, folder), { recursive: true });
  }
  await writeFile(join(dir, '.bashrc'), '# mine\n');
  await writeFile(join(dir, 'precious'), 'precious\n');
  await writeFile(join(dir, 'config/settings.json'), '{"mine": true}');
  await writeFile(join(dir, 'other/kept'), 'kept\n');
  await writeFile(join(dir, 'python/bin/tool'), '#!/bin/sh\n', { mode: 0o755 });
  // More files than the history of deleted cells stores, because a cleanup of that history would delete some.
  for (let at = 0; at < 205; at += 1) await writeFile(join(dir, `letters/${at}.json`), '{}');
}

/** Every name below a folder with its kind, its permissions and its bytes. */
export async function treeOf(dir: string): Promise<readonly string[]> {
  const names = (await readdir(dir, { recursive: true })).toSorted();
  const lines = names.map(async (name) => {
    const path = join(dir, name);
    const entry = await lstat(path);
    const mode = (entry.mode & 0o7777).toString(8);
    if (entry.isSymbolicLink()) return `${name} -> ${await readlink(path)}`;
    return `${name} ${mode} ${entry.isFile() ? await readFile(path, 'base64') : 'folder'}`;
  });
  return Promise.all(lines);
}
