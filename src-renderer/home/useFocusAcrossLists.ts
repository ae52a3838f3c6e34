/**
 * Hook of the first page that keeps the focus on a notebook's row when the notebook moves to another list or
 * disappears.
 */

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isFocusLost } from '../ui/lostFocus.ts';

interface Held {
  readonly element: Element;
  /** The path of the notebook that had the focus; null if none had. */
  readonly path: string | null;
  /** The number of notebooks above it. */
  readonly above: number;
}

const placesIn = (root: Element): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[data-place]')];

/**
 * When the focused notebook is removed from its list, the focus goes to the same notebook in another list, else to the
 * one that took its position, else to the search field.
 */
export function useFocusAcrossLists(page: RefObject<HTMLElement | null>): void {
  const heldFocus = useRef<Held | null>(null);
  useEffect(() => {
    const root = page.current;
    if (root === null) return;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      const row = target.closest<HTMLElement>('[data-path]');
      const before = (one: Element): boolean =>
        (row ?? target).compareDocumentPosition(one) === Node.DOCUMENT_POSITION_PRECEDING;
      const path = row?.dataset['path'] ?? null;
      heldFocus.current = { element: target, path, above: placesIn(root).filter(before).length };
    };
    root.addEventListener('focusin', remember);
    return () => root.removeEventListener('focusin', remember);
  }, [page]);
  // Runs after every render, because any list may have removed the row.
  useLayoutEffect(() => {
    const root = page.current;
    if (root === null || heldFocus.current === null || heldFocus.current.element.isConnected) return;
    if (!isFocusLost(null)) return;
    const { path, above } = heldFocus.current;
    const places = placesIn(root);
    const same = places.find((one) => one.closest<HTMLElement>('[data-path]')?.dataset['path'] === path);
    const next = same ?? places[Math.min(above, places.length - 1)];
    (next ?? root.querySelector<HTMLElement>('input[type=search], button'))?.focus();
  });
}
