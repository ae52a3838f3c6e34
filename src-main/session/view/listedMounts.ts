/** Lists the external data of a notebook: its mounts, fetched files, datasets and tables. */

import type { ListedMount } from '../../../src-shared/wire/routes/extensions.ts';
import { type DataFact, type DataWant, isWritable, MISSING, placeNameOf, wantsOf } from '../../mount/want.ts';
import { splitOptions } from '../../notebook/kept/mountSecrets.ts';
import { dataOf } from '../keys/data.ts';
import type { SessionState } from '../state/state.ts';

const NOTHING = { mounts: [], fetches: [], datasets: [], tables: [] } as const;

/**
 * The external data that cells use, with the last check: the notebook's own first, then by cell, without
 * duplicates.
 */
export function listedMounts(state: SessionState): readonly ListedMount[] {
  const rows = new Map<string, ListedMount>();
  const idOf = ({ key, name, fixed }: DataWant) => `${key}\0${name}\0${fixed}`;
  for (const want of wantsOf({ notebook: state.file.mounts, cell: [] }, NOTHING)) {
    rows.set(idOf(want), rowOf(want, { scope: 'notebook', cellId: null, fact: state.data.get(want.key) }));
  }
  for (const cell of state.cells.values()) {
    for (const want of dataOf(state, cell)) {
      const row = rows.get(idOf(want));
      if (row === undefined) {
        rows.set(idOf(want), rowOf(want, { scope: 'cell', cellId: cell.id, fact: state.data.get(want.key) }));
      } else if (row.scope === 'cell') {
        rows.set(idOf(want), { ...row, cell_ids: [...row.cell_ids, cell.id] });
      }
    }
  }
  return [...rows.values()];
}

function rowOf(
  want: DataWant,
  about: {
    readonly scope: ListedMount['scope'];
    readonly cellId: string | null;
    readonly fact: DataFact | undefined;
  },
): ListedMount {
  const { fact } = about;
  return {
    kind: want.kind,
    name: want.name,
    uri: placeNameOf(want),
    mode: want.kind === 'mount' ? want.mount.mode : 'ro',
    credential: want.kind === 'mount' ? want.mount.credential : null,
    secret_options: want.kind === 'mount' ? Object.keys(splitOptions(want.mount.options).secrets) : [],
    scope: about.scope,
    cell_ids: about.cellId === null ? [] : [about.cellId],
    state: stateOf(want, fact),
    problem: fact?.problem ?? null,
    files: fact?.files ?? null,
    bytes: fact?.bytes ?? null,
    checked_at: fact === undefined ? null : new Date(fact.checkedAtMs).toISOString(),
  };
}

function stateOf(want: DataWant, fact: DataFact | undefined): ListedMount['state'] {
  if (isWritable(want)) return 'writable';
  if (want.fixed !== null) return 'pinned';
  if (fact?.token === MISSING) return 'missing';
  if (fact !== undefined && fact.problem !== null) return 'problem';
  return fact === undefined || fact.token === null ? 'unseen' : 'ok';
}
