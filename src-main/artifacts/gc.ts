/** Deletes blobs of a result store that no row refers to, and leftovers of killed processes. */

import type { Stats } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { moveTo, removeTree } from '../lib/guardedFolder/names.ts';
import { lstatAt, namesIn } from '../lib/guardedFolder/read.ts';
import { makePrivateFolder } from '../lib/makePrivateFolder.ts';
import { isDigest } from './artifact.ts';
import { type BlobFolder, blobPath, ownerMayLive } from './blobFolder.ts';
import { errorCode } from './errorCode.ts';
import type { Rows } from './rows.ts';

/** How long a blob without a row is not deleted, because another process may be about to write its row. */
const STRAY_GUARD_MS = 10 * 60_000;
/** How long such a blob stays if this process itself pruned its last row. */
export const PRUNED_GUARD_MS = 60_000;
/** A folder in tmp is deleted after this time even if some process has its owner's process id. */
const TMP_GUARD_MS = 7 * 24 * 3_600_000;

interface Sweep {
  readonly database: Database;
  readonly rows: Rows;
  readonly folder: BlobFolder;
  /** Milliseconds since the epoch by the file system's clock, not a test's. */
  readonly now: number;
}

/**
 * Removes leftovers of killed processes: tmp folders of dead owners, and blobs without rows. Safe next to a
 * publishing process: names are listed before owners are, so a listed blob had an owner folder in tmp before
 * it had a name; and a publication checks its blobs once more inside its own transaction.
 */
export async function sweepStrays({ database, rows, folder, now }: Sweep): Promise<readonly string[]> {
  const blobs = namesIn(folder.blobsDir).filter(isDigest);
  const others = namesIn(folder.tmpDir).filter((name) => name !== basename(folder.ownTmp));
  let othersLive = false;
  for (const name of others) {
    const path = join(folder.tmpDir, name);
    const info = lstatAt(path);
    if (info === null) continue;
    if (ownerMayLive(name) && now - info.mtimeMs < TMP_GUARD_MS) othersLive = true;
    else await removeTree(path);
  }
  const referenced = rows.referenced();
  return moveUnreferenced({
    database,
    rows,
    folder,
    blobs: blobs.filter((name) => !referenced.has(name)),
    olderThan: othersLive ? now - STRAY_GUARD_MS : Number.POSITIVE_INFINITY,
  });
}

/** When a blob was moved to its place; a rename updates the change time on file systems that have one. */
function placedAt(info: Stats): number {
  return Math.max(info.ctimeMs, info.mtimeMs);
}

/**
 * Moves away those of `blobs` that no row refers to and that are older than `olderThan` (milliseconds since
 * the epoch), under the write lock so that no row can be added in the meantime. A younger one may belong to a
 * publication whose rows are not written yet. Moving is fast enough for the lock; `deleteMoved` deletes the
 * returned paths.
 */
export async function moveUnreferenced(options: {
  readonly database: Database;
  readonly rows: Rows;
  readonly folder: BlobFolder;
  readonly blobs: readonly string[];
  readonly olderThan: number;
}): Promise<readonly string[]> {
  const { database, rows, folder, blobs, olderThan } = options;
  if (blobs.length === 0) return [];
  const { ownTmp } = folder;
  makePrivateFolder(ownTmp);
  const paths: string[] = [];
  database
    .transaction(() => {
      for (const name of blobs) {
        if (rows.isReferenced(name)) continue;
        const from = blobPath(folder, name);
        const info = lstatAt(from);
        if (info === null || placedAt(info) >= olderThan) continue;
        const to = join(ownTmp, `gone-${name}`);
        if (moveAway(from, to)) paths.push(to);
      }
    })
    .immediate();
  return paths;
}

/** Deletes the blobs at these paths, to which a sweep moved them. */
export async function deleteMoved(paths: readonly string[]): Promise<void> {
  for (const path of paths) await removeTree(path);
}

/** Moves a blob away. @returns false when it is already removed or, on Windows, being read: the next sweep retries */
function moveAway(from: string, to: string): boolean {
  try {
    moveTo(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'EPERM' || code === 'EACCES' || code === 'EBUSY') return false;
    throw error;
  }
}
