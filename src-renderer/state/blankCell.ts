import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { type NotebookView, shownSource } from './notebookStore.ts';
import { groupOf } from './variants.ts';

/** Whether a cell was never used: a code cell without text, tests and results that is not a variant. */
export function isBlankCell(view: NotebookView, cellId: string | undefined): cellId is string {
  const cell = cellId === undefined ? undefined : view.model.cells[cellId]?.cell;
  if (cellId === undefined || cell === undefined || groupOf(view, cellId) !== null) return false;
  return (
    LANGUAGES[cell.language].runs &&
    cell.test_source === '' &&
    cell.display_outputs.length === 0 &&
    shownSource(view, cellId).trim() === ''
  );
}
