/** What a module cell shares with other cells, and which cells use it. */

import type { Cell } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';

/** The functions and classes that a module cell exports; its constants are exported too, but not listed. */
export function sharedNames({ module_exports }: Pick<Cell, 'module_exports'>): readonly string[] {
  return (module_exports ?? []).filter(({ kind }) => kind !== 'constant').map(({ name }) => name);
}

export interface SharedSymbol {
  readonly name: string;
  readonly kind: string;
  /** Cells that use it. */
  readonly readers: readonly string[];
}

/** Everything a module cell exports, and the cells that use it. */
export function sharedSymbols(model: Pick<NotebookModel, 'cells'>, cell: Cell): readonly SharedSymbol[] {
  return (cell.module_exports ?? []).map(({ name, kind }) => ({
    name,
    kind,
    readers: cell.downstream_ids.filter((id) => model.cells[id]?.cell.references.includes(name) === true),
  }));
}
