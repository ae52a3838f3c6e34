import { renameSync, type Stats, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { PRIVATE_FOLDER } from '../lib/privateFiles.ts';
import { isDigest } from './artifact.ts';
import { type BlobFolder, blobPath, ownerMayLive } from './blobFolder.ts';
import { errorCode } from './errorCode.ts';
import type { Rows } from './rows.ts';

/** A blob without a row is left alone this long while another process may be about to write its row. */
export const STRAY_GUARD_MS = 10 * 60_000;
/** The same for a blob whose last row this process pruned itself. */
export const PRUNED_GUARD_MS = 60_000;
/** A folder in tmp is given up after this long even if some process carries its owner's number. */
const TMP_GUARD_MS = 7 * 24 * 3_600_000;

interface Sweep {
  readonly database: Database;
  readonly rows: Rows;
  readonly folder: BlobFolder;
  /** Milliseconds since the epoch by the file system's clock, not a test's. */
  readonly now: number;
}

/**
 * Removes what a killed process left: folders in tmp of dead owners, and blobs that no row names.
 * Safe beside a publishing process: names are listed before owners are, so a blob on the list had an owner folder
 * in tmp before it had a name; and a publish looks for its blobs once more inside its own transaction.
 */
export async function sweepStrays({ database, rows, folder, now }: Sweep): Promise<readonly string[]> {
  const blobs = (await readdir(folder.blobsDir)).filter(isDigest);
  const others = (await readdir(folder.tmpDir)).filter((name) => name !== basename(folder.ownTmp));
  let othersLive = false;
  for (const name of others) {
    const path = join(folder.tmpDir, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) continue;
    if (ownerMayLive(name) && now - info.mtimeMs < TMP_GUARD_MS) othersLive = true;
    else await rm(path, { recursive: true, force: true });
  }
  const referenced = rows.referenced();
  return takeUnreferenced({
    database,
    rows,
    folder,
    blobs: blobs.filter((name) => !referenced.has(name)),
    olderThan: othersLive ? now - STRAY_GUARD_MS : Number.POSITIVE_INFINITY,
  });
}

/** When a blob came to its place; a rename renews the change time on the file systems that keep one. */
function placedAt(info: Stats): number {
  return Math.max(info.ctimeMs, info.mtimeMs);
}

/**
 * Takes those of `blobs` away that no row names and that came before `olderThan` (milliseconds since the epoch),
 * looking under the write lock so that no row can appear meanwhile. A younger one may belong to a publish whose
 * rows are still to come. Moving is quick enough for the lock; `deleteTaken` frees the bytes of the paths answered.
 */
export async function takeUnreferenced(options: {
  readonly database: Database;
  readonly rows: Rows;
  readonly folder: BlobFolder;
  readonly blobs: readonly string[];
  readonly olderThan: number;
}): Promise<readonly string[]> {
  const { database, rows, folder, blobs, olderThan } = options;
  if (blobs.length === 0) return [];
  const { ownTmp } = folder;
  await mkdir(ownTmp, { recursive: true, mode: PRIVATE_FOLDER });
  const taken: string[] = [];
  database
    .transaction(() => {
      for (const name of blobs) {
        if (rows.isReferenced(name)) continue;
        const from = blobPath(folder, name);
        const info = statSync(from, { throwIfNoEntry: false });
        if (info === undefined || placedAt(info) >= olderThan) continue;
        const to = join(ownTmp, `gone-${name}`);
        if (moveAway(from, to)) taken.push(to);
      }
    })
    .immediate();
  return taken;
}

export async function deleteTaken(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true });
}

/** False when it is gone already or, on Windows, being read: the next sweep finds it again. */
function moveAway(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EPERM' || code === 'EACCES' || code === 'EBUSY') return false;
    throw error;
  }
}
