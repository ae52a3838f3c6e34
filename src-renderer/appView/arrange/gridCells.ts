/** Cells of an app's grid. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { AppLayout } from '../../../src-shared/wire/appLayout.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';
import type { GridCell } from './grid.ts';

const RESULT_ROWS = 9;
const MOST_TEXT_ROWS = 8;

/** The cells of the app for its grid. */
export function gridCellsOf(
  { cells }: Pick<NotebookModel, 'cells'>,
  ids: readonly string[],
  layout: AppLayout,
): readonly GridCell[] {
  return ids.map((id) => {
    const cell = cells[id]?.cell;
    return {
      id,
      place: layout.cells[id]?.grid ?? null,
      rows: cell === undefined ? RESULT_ROWS : usualRows(cell),
    };
  });
}

/** About the height of what a cell shows, for a cell without a place. */
function usualRows(cell: Cell): number {
  const { runs, hasControls } = LANGUAGES[cell.language];
  if (!runs) return Math.min(Math.ceil((cell.source.split('\n').length + 2) / 2), MOST_TEXT_ROWS);
  if (hasControls) return 1 + (cell.widget?.descriptors.length ?? 1);
  return RESULT_ROWS;
}
