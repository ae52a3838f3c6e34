import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';

/**
 * What people call a cell: its @name, else which variant of what it is, else its first define, else its place in the
 * notebook.
 */
export function cellName(model: NotebookModel, id: string): string {
  const cell = model.cells[id]?.cell;
  const named = cell?.annotations.name ?? variantName(cell) ?? cell?.defines[0];
  return named ?? `cell ${model.order.indexOf(id) + 1}`;
}

/** Variants of one group define the same names: `method · trend`. */
function variantName(cell: Cell | undefined): string | null {
  if (cell === undefined || cell.variant_group === null) return null;
  return `${cell.variant_group} · ${cell.variant_name}`;
}
