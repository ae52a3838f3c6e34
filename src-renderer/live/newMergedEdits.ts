import type { MergedEdits, NotebookView } from '../state/notebookStore.ts';
import { shownSource } from '../state/notebookStore.ts';

/**
 * The cells into which a change by another person or program was merged with the last frames: by this window in a
 * draft, or by the server in a text sent to it.
 */
export function newMergedEdits(before: NotebookView, after: NotebookView): readonly MergedEdits[] {
  const inDrafts = Object.entries(after.drafts).flatMap(([cellId, { merged, text }]): MergedEdits[] => {
    const isNew = merged !== undefined && before.drafts[cellId]?.merged?.mine !== merged.mine;
    const theirs = after.model.cells[cellId]?.cell.source ?? null;
    return isNew ? [{ cellId, mine: merged.mine, text, theirs }] : [];
  });
  const news = after.model.outside;
  if (news === null || news === before.model.outside) return inDrafts;
  const byServer = (news.merged ?? []).flatMap(({ cell_id: cellId, mine, theirs = null }): MergedEdits[] => {
    // Only a window that showed the text before can undo the merge; for others it is an outside change.
    if (after.drafts[cellId] !== undefined || shownSource(before, cellId) !== mine) return [];
    return [{ cellId, mine, text: shownSource(after, cellId), theirs }];
  });
  return [...inDrafts, ...byServer];
}
