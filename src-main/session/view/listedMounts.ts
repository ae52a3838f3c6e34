/**
 * Lists the external data of a notebook with the results of the last check: mounts, fetched files, datasets and tables.
 */

import type { ListedMount } from '../../../src-shared/wire/routes/extensions.ts';
import {
  type DataFact,
  type DataItem,
  dataItemsOf,
  isWritable,
  itemName,
  MISSING,
} from '../../mount/dataItem.ts';
import { splitOptions } from '../../notebook/stored/mountSecrets.ts';
import { dataOf } from '../keys/data.ts';
import type { SessionState } from '../state/state.ts';

const NOTHING = { mounts: [], fetches: [], datasets: [], tables: [] } as const;

/**
 * The external data that cells use, with the last check: the notebook's own first, then by cell, without
 * duplicates.
 */
export function listedMounts(state: SessionState): readonly ListedMount[] {
  const rows = new Map<string, ListedMount>();
  const idOf = ({ key, name, fixed }: DataItem) => `${key}\0${name}\0${fixed}`;
  for (const item of dataItemsOf({ notebook: state.file.mounts, cell: [] }, NOTHING)) {
    rows.set(idOf(item), rowOf(item, { scope: 'notebook', cellId: null, fact: state.data.get(item.key) }));
  }
  for (const cell of state.cells.values()) {
    for (const item of dataOf(state, cell)) {
      const row = rows.get(idOf(item));
      if (row === undefined) {
        rows.set(idOf(item), rowOf(item, { scope: 'cell', cellId: cell.id, fact: state.data.get(item.key) }));
      } else if (row.scope === 'cell') {
        rows.set(idOf(item), { ...row, cell_ids: [...row.cell_ids, cell.id] });
      }
    }
  }
  return [...rows.values()];
}

function rowOf(
  item: DataItem,
  about: {
    readonly scope: ListedMount['scope'];
    readonly cellId: string | null;
    readonly fact: DataFact | undefined;
  },
): ListedMount {
  const { fact } = about;
  return {
    kind: item.kind,
    name: item.name,
    uri: itemName(item),
    mode: item.kind === 'mount' ? item.mount.mode : 'ro',
    credential: item.kind === 'mount' ? item.mount.credential : null,
    secret_options: item.kind === 'mount' ? Object.keys(splitOptions(item.mount.options).secrets) : [],
    scope: about.scope,
    cell_ids: about.cellId === null ? [] : [about.cellId],
    state: stateOf(item, fact),
    problem: fact?.problem ?? null,
    files: fact?.files ?? null,
    bytes: fact?.bytes ?? null,
    checked_at: fact === undefined ? null : new Date(fact.checkedAtMs).toISOString(),
  };
}

function stateOf(item: DataItem, fact: DataFact | undefined): ListedMount['state'] {
  if (isWritable(item)) return 'writable';
  if (item.fixed !== null) return 'pinned';
  if (fact?.token === MISSING) return 'missing';
  if (fact !== undefined && fact.problem !== null) return 'problem';
  return fact === undefined || fact.token === null ? 'unseen' : 'ok';
}
