/** Which cells of the notebook are selected. */

import type { NotebookView } from './notebookStore.ts';

/** The parts of a view that determine which cells are selected. */
type Selecting = Pick<NotebookView, 'focusedId' | 'anchorId' | 'leaving'> & {
  readonly model: Pick<NotebookView['model'], 'order'>;
};

/**
 * The selected cells in notebook order: from the anchor to the focused one, or only the focused one, without cells that
 * are being deleted.
 */
export function selectedIds(view: Selecting): readonly string[] {
  const { order } = view.model;
  const focused = view.focusedId === null ? -1 : order.indexOf(view.focusedId);
  if (focused === -1) return [];
  const anchor = view.anchorId === null ? focused : order.indexOf(view.anchorId);
  if (anchor === -1) return order.slice(focused, focused + 1);
  const range = order.slice(Math.min(anchor, focused), Math.max(anchor, focused) + 1);
  return range.filter((id) => view.leaving[id] === undefined);
}

/** Whether a cell is one of several selected cells. */
export function isSelected(view: Selecting, cellId: string): boolean {
  return view.anchorId !== null && selectedIds(view).includes(cellId);
}
