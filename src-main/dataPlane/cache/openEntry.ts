/** Opens the file of a held entry, if it is still the file that was checked. */

import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens the entry's file for reading; the caller closes it.
 * @throws ChangedEntry if it is not the file that was held
 */
export async function openEntry({
  path,
  stamp,
}: {
  readonly path: string;
  readonly stamp: string;
}): Promise<FileHandle> {
  const file = await open(path);
  try {
    const { size, mtimeMs, ino } = await file.stat();
    if (!stamp.startsWith(`${size} ${mtimeMs} ${ino} `)) throw new ChangedEntry();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The files of an entry are not those that were written or checked: another server that shares the folder replaced or
 * removed them, or the disk damaged them. It has the fields of a system error, so that it counts as a refusal of the
 * disk (`isDiskError`).
 */
export class ChangedEntry extends Error {
  readonly code = 'ESTALE';
  readonly syscall = 'open';

  constructor() {
    super('a cache entry is not what was written');
  }
}
