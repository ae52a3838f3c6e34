/** Moves the tags of Iceberg tables that a version was exported to, when an alias of the artifact moves. */

import { withinDeadline } from '../../iceberg/deadline.ts';
import type { Warehouses } from '../../iceberg/openTable.ts';
import { moveTag } from '../../iceberg/write/moveTag.ts';
import { openTableStore } from '../../iceberg/write/openTableStore.ts';
import type { Party, VersionRef } from '../../registry/versionRow.ts';
import { refusalOf } from '../planeRefusal.ts';
import { versionEntries } from './origin.ts';

/** The result for the tag of one table. `problem` is null if the tag now names the version. */
export interface MovedTag {
  readonly table: string;
  readonly problem: string | null;
}

/** A catalog that does not respond must not delay the alias, which has already been moved. */
const MOVE_MS = 20_000;

/** Points the tag `alias` of each table to the snapshot with the rows of a version. All tables are tried. */
export async function moveTableTags(
  tables: readonly string[],
  {
    alias,
    ref,
    party,
    warehouses,
    signal,
  }: {
    readonly alias: string;
    readonly ref: VersionRef;
    readonly party: Party;
    readonly warehouses: Warehouses;
    readonly signal: AbortSignal;
  },
): Promise<readonly MovedTag[]> {
  const entries = versionEntries(ref, party.tenant);
  const moved: MovedTag[] = [];
  for (const table of tables) {
    try {
      const outcome = await withinDeadline(
        async (inner) => {
          const store = openTableStore(table, warehouses);
          try {
            return await moveTag(store, { tag: alias, entries }, inner);
          } finally {
            await store.close();
          }
        },
        { milliseconds: MOVE_MS, what: `Moving the tag ${alias}`, signal },
      );
      const problem = outcome === 'absent' ? 'The table no longer has a snapshot of this version.' : null;
      moved.push({ table, problem });
    } catch (error) {
      const refusal = refusalOf(error);
      moved.push({ table, problem: refusal instanceof Error ? refusal.message : String(refusal) });
    }
  }
  return moved;
}
