import { type RefObject, useCallback } from 'react';
import { useSession } from '../notebook/context.ts';
import type { GoToCell } from '../outputs/cellPlaces.ts';
import { namedCellId } from '../state/namedCell.ts';

/** Scrolls to the part of the app view that a link names, and focuses it. */
export function useGoToPart(root: RefObject<HTMLElement | null>): GoToCell {
  const session = useSession();
  return useCallback(
    (name) => {
      const id = namedCellId(session.store.getState().model, name);
      const parts = root.current?.querySelectorAll<HTMLElement>('[data-app-cell]') ?? [];
      const part = [...parts].find((one) => one.dataset['appCell'] === id);
      part?.scrollIntoView({ block: 'start' });
      part?.focus({ preventScroll: true });
      return part !== undefined;
    },
    [session, root],
  );
}
