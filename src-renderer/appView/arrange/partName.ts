/** Names a cell of an app view, for its edit bar and the lists of the layout editor. */

import { headingsOf } from '../../../src-shared/notebook/headings.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { cellName } from '../../state/cellName.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';

/** The name of a cell in an app: a text cell's first heading, otherwise the cell's name in the notebook. */
export function partName(model: NotebookModel, id: string): string {
  const cell = model.cells[id]?.cell;
  const heading =
    cell === undefined || LANGUAGES[cell.language].runs ? undefined : headingsOf(cell.source)[0];
  return heading === undefined || heading.text === '' ? cellName(model, id) : heading.text;
}
