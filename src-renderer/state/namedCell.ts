import { cellName } from './cellName.ts';
import type { NotebookModel } from './notebookModel.ts';

/** The cell with this id, @name or display name, or null. */
export function namedCellId(model: NotebookModel, name: string): string | null {
  if (Object.hasOwn(model.cells, name)) return name;
  const byName = model.order.find((id) => model.cells[id]?.cell.annotations.name === name);
  return byName ?? model.order.find((id) => cellName(model, id) === name) ?? null;
}
