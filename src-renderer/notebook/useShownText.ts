import { useMemo } from 'react';
import type { ShownText } from '../editor/shownText.ts';
import { shownSource } from '../state/notebookStore.ts';
import { useSession } from './context.ts';

/** The text one cell shows: the person's own draft before the server's. */
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
