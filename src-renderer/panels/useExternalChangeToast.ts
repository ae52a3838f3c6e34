import { useEffect } from 'react';
import { useSession, useView } from '../notebook/context.ts';
import { cellName } from '../state/cellName.ts';
import { toast } from '../ui/Toast.tsx';
import { CARD_WORDS } from '../words/cellCard.ts';
import { listText } from '../words/strings.ts';

/**
 * Shows a message when another program has changed the notebook's files, with a button that goes to the changed cell.
 */
export function useExternalChangeToast(): void {
  const session = useSession();
  const news = useView((view) => view.model.outside);
  useEffect(() => {
    if (news === null) return;
    const { added, removed, merged = [] } = news;
    const { model, drafts } = session.store.getState();
    // The session itself announces changes that were merged with typed text, with an undo button.
    const announcedIds = new Set(merged.map(({ cell_id }) => cell_id));
    const cell_ids = news.cell_ids.filter((id) => !announcedIds.has(id) && drafts[id]?.merged === undefined);
    if (added + removed > 0) toast(CARD_WORDS.outsideCells(added, removed));
    const [first] = cell_ids;
    if (first === undefined) return;
    const names = listText(cell_ids.map((id) => cellName(model, id)));
    toast(CARD_WORDS.outside(names, cell_ids.length), {
      action: { label: CARD_WORDS.goThere, run: () => session.focus(first) },
    });
  }, [news, session]);
}
