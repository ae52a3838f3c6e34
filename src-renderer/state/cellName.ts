/** Determines the name of a cell that the window shows. */

import { titleOf } from '../../src-shared/notebook/cellTitle.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';

/**
 * The name of a cell, as shown: its @name, else its variant and what it defines, else what it defines, else its
 * position.
 */
export function cellName(model: NotebookModel, id: string): string {
  const cell = model.cells[id]?.cell;
  const name = cell?.annotations.name ?? variantName(cell) ?? (cell === undefined ? null : cellTitle(cell));
  return name ?? `cell ${model.order.indexOf(id) + 1}`;
}

/** Cached by cell object, because names are needed for every cell at every change. */
const titles = new WeakMap<Cell, string | null>();

/** The title from a cell's own content; null if there is none. */
export function cellTitle(cell: Cell): string | null {
  const cachedTitle = titles.get(cell);
  if (cachedTitle !== undefined) return cachedTitle;
  const { annotations, defines, source } = cell;
  const title = titleOf({ name: annotations.name, defines, source });
  titles.set(cell, title);
  return title;
}

/** The name of a variant with its label, because variants of a group define the same names: `method · trend`. */
function variantName(cell: Cell | undefined): string | null {
  if (cell === undefined || cell.variant_group === null) return null;
  return `${cell.variant_group} · ${cell.variant_name}`;
}
