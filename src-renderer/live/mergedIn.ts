import type { NotebookView } from '../state/notebookStore.ts';
import { shownSource } from '../state/notebookStore.ts';

/** A cell that got others' changes beside what was typed here. */
export interface MergedCell {
  readonly cellId: string;
  /** What it was with this window's text alone. */
  readonly mine: string;
  readonly text: string;
}

/** The cells that frames have merged: by this window in a draft, or by the server in what it had been sent. */
export function mergedIn(before: NotebookView, after: NotebookView): readonly MergedCell[] {
  const inDrafts = Object.entries(after.drafts).flatMap(([cellId, { merged, text }]): MergedCell[] => {
    const isNew = merged !== undefined && before.drafts[cellId]?.merged?.mine !== merged.mine;
    return isNew ? [{ cellId, mine: merged.mine, text }] : [];
  });
  const news = after.model.outside;
  if (news === null || news === before.model.outside) return inDrafts;
  const byServer = (news.merged ?? []).flatMap(({ cell_id: cellId, mine }): MergedCell[] => {
    // Who had the text in the page before takes it back by an undo; to others it is an outside change.
    if (after.drafts[cellId] !== undefined || shownSource(before, cellId) !== mine) return [];
    return [{ cellId, mine, text: shownSource(after, cellId) }];
  });
  return [...inDrafts, ...byServer];
}
