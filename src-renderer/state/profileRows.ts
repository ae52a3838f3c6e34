/** Computes the sorted rows of the profile table in the Runs panel: the cost of each cell and what the cache saved. */

import type { Profile } from './notebookModel.ts';

/** The cost of one cell, as a line of the profile. */
export interface ProfileRow {
  readonly cellId: string;
  readonly last: number | null;
  readonly total: number;
  readonly runs: number;
  readonly hits: number;
  readonly saved: number;
  readonly cpu: number | null;
  readonly peak: number | null;
  readonly gpu: number | null;
}

export type ProfileColumn = Exclude<keyof ProfileRow, 'cellId'> | 'name';

export interface ProfileSort {
  readonly column: ProfileColumn;
  readonly descending: boolean;
}

/** The default order: the most expensive cell first. */
export const FIRST_SORT: ProfileSort = { column: 'total', descending: true };

/**
 * Cells that ran or were answered from the cache, in the order of `sort`. Cells with equal values keep the notebook's
 * order, and unknown values come last.
 */
export function profileRows(
  { cell_profiles }: Profile,
  { column, descending }: ProfileSort,
  nameOf: (cellId: string) => string,
): readonly ProfileRow[] {
  const rows = cell_profiles
    .filter(({ execution_count }) => execution_count > 0)
    .map(
      (cell): ProfileRow => ({
        cellId: cell.cell_id,
        last: cell.last_ms ?? null,
        total: cell.total_ms ?? 0,
        runs: cell.execution_count - (cell.hits ?? 0),
        hits: cell.hits ?? 0,
        saved: cell.saved_ms ?? 0,
        cpu: cell.cpu_ms ?? null,
        peak: cell.peak_bytes ?? null,
        gpu: cell.gpu_peak_bytes ?? null,
      }),
    );
  const sign = descending ? -1 : 1;
  return rows.sort((a, b) => {
    if (column === 'name') return sign * nameOf(a.cellId).localeCompare(nameOf(b.cellId));
    const [x, y] = [a[column], b[column]];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * (x - y);
  });
}

/**
 * The order after a click on a column header: numbers start with the largest, names with A; a second click reverses it.
 */
export function sortAfter(sort: ProfileSort, column: ProfileColumn): ProfileSort {
  if (sort.column === column) return { column, descending: !sort.descending };
  return { column, descending: column !== 'name' };
}
