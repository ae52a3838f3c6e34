import { useEffect } from 'react';
import { useSession, useView } from '../notebook/context.ts';

/** Focuses the editor of the only cell of a new notebook, so that typing works immediately. */
export function useStarterCell(): void {
  const session = useSession();
  const loaded = useView((view) => view.model.meta !== null);
  useEffect(() => {
    if (!loaded) return;
    const { focusedId, model } = session.store.getState();
    const [only, second] = model.order;
    if (only === undefined || second !== undefined || focusedId !== null) return;
    const cell = model.cells[only]?.cell;
    const isAway = document.activeElement !== null && document.activeElement !== document.body;
    if (cell?.source === '' && !isAway) session.focus(only, 'edit');
  }, [loaded, session]);
}
