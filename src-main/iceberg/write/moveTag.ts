/** Moves a tag of an Iceberg table to the snapshot that an export wrote. */

import { wholeNumber } from '../exactJson.ts';
import { IcebergError } from '../icebergError.ts';
import { objectIn } from './tableJson.ts';
import type { TableStore } from './tableStore.ts';
import { checkTag, snapshotWith } from './writeTable.ts';

const MAX_ATTEMPTS = 5;

/**
 * Sets the tag to the newest snapshot whose summary has these entries. Nothing else changes.
 * @returns what was done; `absent`: there is no such table or snapshot
 * @throws IcebergError
 */
export async function moveTag(
  store: TableStore,
  { tag, entries }: { readonly tag: string; readonly entries: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<'moved' | 'unchanged' | 'absent'> {
  for (let attempt = 1; ; attempt += 1) {
    const table = await store.load(signal);
    const snapshotId = table === null ? null : snapshotWith(table, entries);
    if (table === null || snapshotId === null) return 'absent';
    checkTag(table.metadata, tag);
    const before = objectIn(objectIn(table.metadata, 'refs'), tag)['snapshot-id'];
    if (wholeNumber(before) === wholeNumber(snapshotId)) return 'unchanged';
    try {
      await store.commit(
        table,
        {
          requirements: [
            { type: 'assert-table-uuid', uuid: table.metadata['table-uuid'] },
            { type: 'assert-ref-snapshot-id', ref: tag, 'snapshot-id': before ?? null },
          ],
          updates: [{ action: 'set-snapshot-ref', 'ref-name': tag, type: 'tag', 'snapshot-id': snapshotId }],
        },
        signal,
      );
      return 'moved';
    } catch (error) {
      const isConflict = error instanceof IcebergError && error.kind === 'conflict';
      if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
