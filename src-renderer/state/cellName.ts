import { titleOf } from '../../src-shared/notebook/cellTitle.ts';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';

/**
 * What people call a cell: its @name, else which variant of what it is, else what it defines, else its place in the
 * notebook.
 */
export function cellName(model: NotebookModel, id: string): string {
  const cell = model.cells[id]?.cell;
  const name = cell?.annotations.name ?? variantName(cell) ?? (cell === undefined ? null : cellTitle(cell));
  return name ?? `cell ${model.order.indexOf(id) + 1}`;
}

/** Cached because it is needed for every cell at every change; keyed by the cell object. */
const titles = new WeakMap<Cell, string | null>();

/** The title that a cell's own content gives it. */
export function cellTitle(cell: Cell): string | null {
  const cachedTitle = titles.get(cell);
  if (cachedTitle !== undefined) return cachedTitle;
  const { annotations, defines, source } = cell;
  const title = titleOf({ name: annotations.name, defines, source });
  titles.set(cell, title);
  return title;
}

/** Variants of one group define the same names: `method · trend`. */
function variantName(cell: Cell | undefined): string | null {
  if (cell === undefined || cell.variant_group === null) return null;
  return `${cell.variant_group} · ${cell.variant_name}`;
}
