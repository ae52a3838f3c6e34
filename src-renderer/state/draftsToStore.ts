import type { SourceDraft } from '../../src-shared/wire/sourceDraft.ts';
import { cellName } from './cellName.ts';
import type { NotebookView } from './notebookStore.ts';

/**
 * The texts, by cell, that exist only in this window until the user decides: refused drafts, and texts whose cell was
 * deleted and that have no new cell.
 */
export function draftsToStore(
  view: Pick<NotebookView, 'model' | 'drafts' | 'orphanTexts'>,
): ReadonlyMap<string, SourceDraft> {
  const drafts = new Map<string, SourceDraft>();
  for (const [id, { text, base, state }] of Object.entries(view.drafts)) {
    const cell = view.model.cells[id]?.cell;
    if (state !== 'refused' || cell === undefined) continue;
    drafts.set(id, { text, base, name: cellName(view.model, id), language: cell.language });
  }
  for (const { cellId, name, language, source, state } of view.orphanTexts) {
    if (state === 'refused') drafts.set(cellId, { text: source, base: '', name, language });
  }
  return drafts;
}
