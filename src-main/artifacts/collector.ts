/** Deletes the result versions that a sweep selected, and their blobs. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RemovalResult, RowRef, UsedRow } from './artifact.ts';
import { blobPath, sizeOf } from './blobFolder.ts';
import { whenDatabaseFree } from './database.ts';
import { deleteMoved, moveUnreferenced } from './gc.ts';
import type { Parts } from './storeParts.ts';

/** How many versions are processed before other work of the server can run. */
const BATCH_ROWS = 500;

/** Every finished version and its last use. */
export async function readUses({ database, used }: Parts): Promise<readonly UsedRow[]> {
  if (used.hasNews()) await whenDatabaseFree(() => database.transaction(() => used.write()).immediate());
  const all: UsedRow[] = [];
  for (let after: RowRef = { id: '', version: 0 }; ; await nextTurn()) {
    const page = used.page(after, BATCH_ROWS);
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < BATCH_ROWS) return all;
    after = last.row;
  }
}

/**
 * Deletes rows first, then the blobs without rows: a kill in between leaves strays, which the next open
 * sweeps. A recent blob may belong to a publication of another process: it stays, and is reported as `young`.
 */
export async function removeRows(
  parts: Parts,
  refs: readonly RowRef[],
  unusedSince: number,
): Promise<RemovalResult & { readonly young: readonly string[] }> {
  const { database, rows, used, folder, prunedGuardMs } = parts;
  const removed: RowRef[] = [];
  const young: string[] = [];
  let bytes = 0;
  for (let at = 0; at < refs.length; at += BATCH_ROWS) {
    const some = refs.slice(at, at + BATCH_ROWS);
    const takeRows = database.transaction(() =>
      some.flatMap((ref) => {
        const blob = used.remove(ref, unusedSince);
        return blob === null ? [] : [{ ref, blob }];
      }),
    );
    const removedRows = await whenDatabaseFree(() => takeRows.immediate());
    removed.push(...removedRows.map(({ ref }) => ref));
    const blobs = [...new Set(removedRows.map(({ blob }) => blob))];
    const sizes = new Map(blobs.map((blob) => [blob, sizeOf(blobPath(folder, blob)) ?? 0]));
    const olderThan = Date.now() - prunedGuardMs;
    const moves = await whenDatabaseFree(() =>
      moveUnreferenced({ database, rows, folder, blobs, olderThan }),
    );
    for (const blob of blobs) {
      if (sizeOf(blobPath(folder, blob)) === null) bytes += sizes.get(blob) ?? 0;
      else if (!rows.isReferenced(blob)) young.push(blob);
    }
    await deleteMoved(moves);
  }
  return { refs: removed, bytes, young };
}
