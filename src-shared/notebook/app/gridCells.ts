/** Makes the items of an app view's grid from the notebook's cells. */

import type { AppLayout } from '../../wire/appLayout.ts';
import type { Cell } from '../../wire/cell.ts';
import { LANGUAGES } from '../languages/languages.ts';
import type { GridCell } from './grid.ts';

const RESULT_ROWS = 9;
const MAX_TEXT_ROWS = 8;

/** The items of the grid for these cells: each with its place in the layout, or the height that it needs. */
export function gridCellsOf(cells: readonly Cell[], layout: Pick<AppLayout, 'cells'>): readonly GridCell[] {
  return cells.map((cell) => ({
    id: cell.id,
    place: layout.cells[cell.id]?.grid ?? null,
    rows: usualRows(cell),
  }));
}

/** The approximate height in rows of a cell's content, for a cell without a place. */
function usualRows(cell: Cell): number {
  const { runs, hasControls } = LANGUAGES[cell.language];
  if (!runs) return Math.min(Math.ceil((cell.source.split('\n').length + 2) / 2), MAX_TEXT_ROWS);
  if (hasControls) return 1 + (cell.widget?.descriptors.length ?? 1);
  return RESULT_ROWS;
}
