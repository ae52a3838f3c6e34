import { useMemo } from 'react';
import type { ShownText } from '../editor/shownText.ts';
import { shownSource } from '../state/notebookStore.ts';
import { useSession } from './context.ts';

/** The text that a cell shows: the user's draft if there is one, else the saved text. */
export function useShownText(cellId: string): ShownText {
  const { store, watchCell } = useSession();
  return useMemo(
    () => ({
      now: () => shownSource(store.getState(), cellId),
      watch: (listener) => watchCell(cellId, listener),
    }),
    [store, watchCell, cellId],
  );
}
