/** Records what notebook.toml has of a deleted cell, and makes the edits that restore it. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { type CellEntry, cellIndexIn } from '../file/notebookFile.ts';
import { isSecretName } from '../file/saveRules.ts';
import type { TomlOp } from '../toml/tomlOp.ts';
import { isTable, type TomlRecord, writable } from '../toml/tomlValue.ts';
import type { NotebookText } from './notebookEdits.ts';
import type { DeletedVariant } from './variantEdits.ts';

/** Everything notebook.toml and cells/ contained of a cell before it was deleted. */
export interface DeletedCell {
  readonly id: CellId;
  /** The cell's block as read, secret values blanked. */
  readonly block: TomlRecord;
  /** The bytes of its two files; null if there was none. */
  readonly source: Buffer | null;
  readonly tests: Buffer | null;
  /** The cells around it, nearest first: it is restored between those that still exist. */
  readonly above: readonly CellId[];
  readonly below: readonly CellId[];
  /** How the deletion changed the cell's group of variants. */
  readonly variant: DeletedVariant | null;
}

/**
 * Neighbours remembered on each side of a deleted cell: enough to find its position after many more
 * deletions.
 */
const REMEMBERED = 50;

/** The record of a deleted cell apart from its files; null when the file does not list it. */
export function deletedCellOf(
  { file, document }: NotebookText,
  id: CellId,
): Pick<DeletedCell, 'id' | 'block' | 'above' | 'below'> | null {
  const list = document['cells'];
  const block: unknown = Array.isArray(list) ? list[cellIndexIn(document, id)] : undefined;
  if (!isTable(block)) return null;
  const ids = file.cells.map((cell) => cell.id);
  const at = ids.indexOf(id);
  return {
    id,
    block: withoutSecrets(block),
    above: ids.slice(Math.max(0, at - REMEMBERED), at).reverse(),
    below: ids.slice(at + 1, at + 1 + REMEMBERED),
  };
}

/**
 * The block without secret values, which stay in memory; no file gets them, including this one
 * (docs/spec/notebook-file.md, 3.1).
 */
function withoutSecrets(block: TomlRecord): TomlRecord {
  const env = Object.hasOwn(block, 'env') ? block['env'] : undefined;
  if (!isTable(env)) return block;
  const blanked = Object.entries(env).map(([key, value]) => [key, isSecretName(key) ? '' : value]);
  return { ...block, env: Object.fromEntries(blanked) };
}

/** Restores a deleted cell's block between those of its neighbours that still exist. */
export function restoreCellOps({ file, document }: NotebookText, cell: DeletedCell): readonly TomlOp[] {
  const { order, afterId } = restoredPosition(file.cells, cell);
  const list = document['cells'];
  const beforeFirst = file.cells[0] === undefined ? 0 : cellIndexIn(document, file.cells[0].id);
  const index = afterId === null ? Math.max(0, beforeFirst) : cellIndexIn(document, afterId) + 1;
  const value = { ...writable(cell.block), order };
  return [{ op: 'insert', path: ['cells'], index: Array.isArray(list) ? index : 0, value }];
}

interface Place {
  readonly order: number;
  readonly afterId: CellId | null;
}

/**
 * The place of a restored cell: its old order if that is still between its neighbours, else one next to the nearest of
 * them.
 */
export function restoredPosition(cells: readonly CellEntry[], cell: DeletedCell): Place {
  const at = (id: CellId): number => cells.findIndex((one) => one.id === id);
  const nearest = (ids: readonly CellId[]): number => at(ids.find((id) => at(id) !== -1) ?? ('' as CellId));
  const above = nearest(cell.above);
  const below = nearest(cell.below);
  const old = Number(cell.block['order'] ?? 0);
  const low = cells[above]?.order ?? Number.NEGATIVE_INFINITY;
  const high = cells[below]?.order ?? Number.POSITIVE_INFINITY;
  if (low < old && old < high) {
    return { order: old, afterId: cells.findLast(({ order }) => order <= old)?.id ?? null };
  }
  const anchor = above === -1 && below !== -1 ? below - 1 : above;
  const before = cells[anchor];
  const after = cells[anchor + 1];
  if (before === undefined) return { order: after === undefined ? old : after.order - 1, afterId: null };
  const order = after === undefined ? before.order + 1 : (before.order + after.order) / 2;
  return { order, afterId: before.id };
}
