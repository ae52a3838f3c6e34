import type { NotebookModel } from './notebookModel.ts';

/** What people call a cell: its @name, else its first define, else its place in the notebook. */
export function cellName(model: NotebookModel, id: string): string {
  const cell = model.cells[id]?.cell;
  const named = cell?.annotations.name ?? cell?.defines[0];
  return named ?? `cell ${model.order.indexOf(id) + 1}`;
}
