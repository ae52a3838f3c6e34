/** Texts typed into deleted cells. */

import type { Language } from '../../src-shared/wire/cell.ts';
import { cellName } from './cellName.ts';
import type { Drafts } from './drafts.ts';
import type { NotebookModel } from './notebookModel.ts';

/** Text typed into a cell that another person has deleted. */
export interface Orphan {
  /** The deleted cell. */
  readonly cellId: string;
  readonly name: string;
  readonly language: Language;
  readonly source: string;
  /** The nearest cell above it that still exists; null: it was above all of them. */
  readonly afterId: string | null;
}

/** One that has no cell yet: a new one is being made for it, or could not be. */
export interface OrphanText extends Orphan {
  readonly state: 'placing' | 'refused';
}

/** Texts of a window that have no cell in the state that has just come, and that no server has. */
export function orphansOf(
  before: { readonly model: NotebookModel; readonly drafts: Drafts; readonly synced: boolean },
  sources: ReadonlyMap<string, string>,
): readonly Orphan[] {
  const { model, drafts, synced } = before;
  return Object.entries(drafts).flatMap(([id, { text, state }]): Orphan[] => {
    const cell = model.cells[id]?.cell;
    if (cell === undefined || sources.has(id) || text.trim() === '') return [];
    // What went out on this very socket came before the deletion, which keeps it to be brought back.
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
