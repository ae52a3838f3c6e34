import { useCallback } from 'react';
import type { GoToCell } from '../outputs/cellPlaces.ts';
import { namedCellId } from '../state/namedCell.ts';
import { useSession } from './context.ts';

/** Returns a function that focuses the cell a link names and scrolls to it. */
export function useGoToCell(): GoToCell {
  const session = useSession();
  return useCallback(
    (name) => {
      const id = namedCellId(session.store.getState().model, name);
      if (id !== null) session.focus(id, 'command');
      return id !== null;
    },
    [session],
  );
}
