/** Determines which cells' cards must be rendered again after a change of the view. */

import { cellName } from './cellName.ts';
import type { NotebookModel } from './notebookModel.ts';
import type { NotebookStore, NotebookView } from './notebookStore.ts';
import { otherPlaces } from './presence.ts';
import { selectedIds } from './selection.ts';

/**
 * The cells whose card may look different after a change of the view; `all` if any card may. Cards are rendered again
 * only by this, so nothing that a card shows may change without its cell being named here. The cost is one comparison
 * per cell if cells changed, and nothing per cell otherwise, as for a key press.
 */
export function changedCells(before: NotebookView, after: NotebookView): ReadonlySet<string> | 'all' {
  if (before.sessionId !== after.sessionId || before.model.order !== after.model.order) return 'all';
  const changed = new Set<string>();
  const add = (...ids: readonly (string | null | undefined)[]): void => {
    for (const id of ids) if (typeof id === 'string') changed.add(id);
  };
  if (before.model.cells !== after.model.cells && !addModels(before.model, after.model, changed))
    return 'all';
  addKeys(before.drafts, after.drafts, changed);
  addKeys(before.asked, after.asked, changed);
  addKeys(before.moves, after.moves, changed);
  addKeys(before.model.rewritten, after.model.rewritten, changed);
  if (before.focusedId !== after.focusedId || before.mode !== after.mode) {
    add(before.focusedId, after.focusedId);
  }
  if (before.anchorId !== null || after.anchorId !== null) {
    if (before.anchorId !== after.anchorId || before.focusedId !== after.focusedId) {
      add(...selectedIds(before), ...selectedIds(after));
    }
  }
  addKeys(before.folded, after.folded, changed);
  addKeys(before.iterations, after.iterations, changed);
  addKeys(before.tests, after.tests, changed);
  addKeys(before.testDrafts, after.testDrafts, changed);
  if (before.editingTests !== after.editingTests) {
    add(before.editingTests?.cellId, after.editingTests?.cellId);
  }
  if (before.naming !== after.naming) add(namedCell(before), namedCell(after));
  if (before.model.prompt !== after.model.prompt) {
    add(before.model.prompt?.cell_id, after.model.prompt?.cell_id);
  }
  if (before.deletingId !== after.deletingId) add(before.deletingId, after.deletingId);
  if (before.namingVariant !== after.namingVariant) add(before.namingVariant, after.namingVariant);
  if (before.lineMark !== after.lineMark) add(before.lineMark?.cellId, after.lineMark?.cellId);
  if (before.model.presence !== after.model.presence) {
    for (const { cellId } of [...otherPlaces(before.model.presence), ...otherPlaces(after.model.presence)]) {
      add(cellId);
    }
  }
  if (before.model.queue !== after.model.queue) {
    for (const run of [...before.model.queue, ...after.model.queue]) add(run.cell_id);
  }
  return changed;
}

function namedCell({ naming }: NotebookView): string | null {
  return typeof naming === 'object' && naming !== null ? naming.cellId : null;
}

/**
 * Adds the cells whose model changed, and the cells downstream of a changed status, because a cause names other cells
 * and which of them failed.
 * @returns false if a name changed that other cells may show
 */
function addModels(before: NotebookModel, after: NotebookModel, changed: Set<string>): boolean {
  for (const id of after.order) {
    const [old, now] = [before.cells[id], after.cells[id]];
    if (old === now) continue;
    if (old === undefined || now === undefined || cellName(before, id) !== cellName(after, id)) return false;
    changed.add(id);
    if (old.cell.status === now.cell.status) continue;
    for (const downstream of now.cell.downstream_ids) changed.add(downstream);
  }
  return true;
}

function addKeys(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  changed: Set<string>,
): void {
  if (before === after) return;
  for (const key of Object.keys(before)) if (before[key] !== after[key]) changed.add(key);
  for (const key of Object.keys(after)) if (before[key] !== after[key]) changed.add(key);
}

/**
 * Calls a listener when its cell may look different.
 * @returns a function that removes the listener
 */
export type WatchCell = (cellId: string, listener: () => void) => () => void;

/** Subscribes to the store once for all cells, and notifies only the cells that a change affects. */
export function watchCells(store: NotebookStore): WatchCell {
  const listeners = new Map<string, Set<() => void>>();
  const notify = (cellId: string): void => {
    for (const listener of listeners.get(cellId) ?? []) listener();
  };
  store.subscribe((after, before) => {
    const changed = changedCells(before, after);
    for (const cellId of changed === 'all' ? [...listeners.keys()] : changed) notify(cellId);
  });
  return (cellId, listener) => {
    const all = listeners.get(cellId) ?? new Set();
    listeners.set(cellId, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0 && listeners.get(cellId) === all) listeners.delete(cellId);
    };
  };
}
