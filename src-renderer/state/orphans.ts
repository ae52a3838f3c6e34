/** Finds texts typed in this window into cells that were deleted elsewhere (orphaned texts). */

import type { Language } from '../../src-shared/wire/cell.ts';
import { cellName } from './cellName.ts';
import type { Drafts } from './drafts.ts';
import type { NotebookModel } from './notebookModel.ts';

/** Text typed into a cell that was deleted elsewhere. */
export interface Orphan {
  /** The deleted cell. */
  readonly cellId: string;
  readonly name: string;
  readonly language: Language;
  readonly source: string;
  /** The nearest cell above it that still exists; null if there is none. */
  readonly afterId: string | null;
}

/** A text without a cell: a new one is being created (`placing`), or could not be created (`refused`). */
export interface OrphanText extends Orphan {
  readonly state: 'placing' | 'refused';
}

/** The unsaved texts whose cells are missing in a new state and that the server does not have. */
export function orphansOf(
  before: { readonly model: NotebookModel; readonly drafts: Drafts; readonly synced: boolean },
  sources: ReadonlyMap<string, string>,
): readonly Orphan[] {
  const { model, drafts, synced } = before;
  return Object.entries(drafts).flatMap(([id, { text, state }]): Orphan[] => {
    const cell = model.cells[id]?.cell;
    if (cell === undefined || sources.has(id) || text.trim() === '') return [];
    // A text sent on this socket reached the server before the deletion, so the deleted cell contains it and can be
    // restored.
    if (synced && state === 'sent') return [];
    const above = model.order.slice(0, model.order.indexOf(id)).filter((other) => sources.has(other));
    return [
      {
        cellId: id,
        name: cellName(model, id),
        language: cell.language,
        source: text,
        afterId: above.at(-1) ?? null,
      },
    ];
  });
}
