/** Opens the result store of a read-only folder: a copy of its rows, with the bytes read in place. */

import { lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import { readPlainFile } from '../lib/plainFile.ts';
import type { ArtifactStore } from './artifact.ts';
import { databasePath } from './database.ts';
import { openStore } from './store.ts';
import type { StoreOptions } from './storeParts.ts';

/** A larger database is not copied: the notebook opens without its results. */
const MAX_COPIED_BYTES = 256 * 1024 * 1024;

/**
 * The results of a folder that may not be changed: the rows are a copy below `scratch`, and their bytes are
 * read in place in `from`. Writes go to the copy. An unreadable store has no results. @throws StoreError as
 * `openStore`
 */
export async function openBorrowedStore(
  from: string,
  { scratch, ...options }: StoreOptions & { readonly scratch: string },
): Promise<ArtifactStore> {
  const to = join(scratch, 'artifacts');
  makePrivateFolder(to);
  const blobs = join(from, 'blobs');
  const isOwn = [dirname(from), from, blobs].every(isRealFolder);
  if (!isOwn || !(await copyRows(from, to))) return openStore(to, options);
  return openStore(to, { ...options, blobsFrom: blobs });
}

/** The database's log is copied too, because the last writes are only there. */
async function copyRows(from: string, to: string): Promise<boolean> {
  for (const suffix of ['', '-wal']) {
    const file = `${databasePath(from)}${suffix}`;
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined && suffix !== '') continue;
    if (stats?.isFile() !== true || stats.size > MAX_COPIED_BYTES) return false;
    const bytes = await readPlainFile(file, { maxBytes: MAX_COPIED_BYTES });
    await writeFile(`${databasePath(to)}${suffix}`, bytes, { mode: 0o600 });
  }
  return true;
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
