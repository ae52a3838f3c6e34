/** Lists the names that a cell may read from other cells, for completion in the editor. */

import { variantLabel } from '../../src-shared/notebook/variants.ts';
import { cellName } from './cellName.ts';
import type { NotebookModel } from './notebookModel.ts';

/** A name that a cell may read, and where it comes from. */
export interface KnownName {
  readonly name: string;
  /** The displayed name of the cell that defines it. */
  readonly from: string;
  /** The URI of its stored value, whose head can be requested; null if no value is stored. */
  readonly uri: string | null;
}

/**
 * The names that other cells define, in notebook order, each once, from the last cell that defines it. Names of cells
 * that read this one, directly or indirectly, are left out, because using them would form a cycle.
 */
export function knownNames(model: NotebookModel, cellId: string): readonly KnownName[] {
  const below = readersOf(model, cellId);
  const names = new Map<string, KnownName>();
  for (const id of model.order) {
    const cell = model.cells[id]?.cell;
    if (cell === undefined || id === cellId || below.has(id) || !cell.variant_active) continue;
    for (const name of cell.defines) {
      const [variant] = cell.fan_out?.variants ?? [];
      const stored = variant === undefined ? name : variantLabel(name, variant);
      names.set(name, { name, from: cellName(model, id), uri: cell.artifact_uris[stored] ?? null });
    }
  }
  return [...names.values()];
}

function readersOf(model: NotebookModel, cellId: string): ReadonlySet<string> {
  const readers = new Set<string>();
  const pendingIds = [cellId];
  for (let id = pendingIds.pop(); id !== undefined; id = pendingIds.pop()) {
    for (const reader of model.cells[id]?.cell.downstream_ids ?? []) {
      if (readers.has(reader)) continue;
      readers.add(reader);
      pendingIds.push(reader);
    }
  }
  return readers;
}
