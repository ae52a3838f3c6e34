/** Hook that keeps the focus in a panel's list when the row with the focus is removed. */

import { type RefObject, useEffect } from 'react';
import { isFocusLost } from '../ui/lostFocus.ts';

interface Held {
  readonly button: Element;
  readonly list: Element;
  readonly row: number;
  /** Index among the buttons of the row. */
  readonly place: number;
}

const buttonsIn = (element: Element | undefined | null): HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? []),
];

/**
 * When a row is removed from a list of a panel while one of its buttons has the focus, the focus moves to the same
 * button of the row that takes its place, or else to the last button of the section, which adds a row. A mutation
 * observer watches all lists, because the server decides when a row disappears.
 */
export function useRowFocus(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = panel.current;
    if (box === null) return;
    let heldFocus: Held | null = null;
    const remember = ({ target }: FocusEvent): void => {
      const row = target instanceof Element ? target.closest('li') : null;
      const list = row?.parentElement ?? null;
      if (!(target instanceof Element) || row === null || list?.matches('.plain-list') !== true) {
        heldFocus = null;
        return;
      }
      const buttons: Element[] = buttonsIn(row);
      const place = buttons.indexOf(target);
      heldFocus = { button: target, list, row: [...list.children].indexOf(row), place };
    };
    const watch = new MutationObserver(() => {
      if (heldFocus === null || heldFocus.button.isConnected || !isFocusLost(null)) return;
      const { list, row, place } = heldFocus;
      const next = buttonsIn(list.children[Math.min(row, list.children.length - 1)]);
      (next[place] ?? next.at(-1) ?? buttonsIn(list.closest('section')).at(-1))?.focus();
    });
    box.addEventListener('focusin', remember);
    watch.observe(box, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      box.removeEventListener('focusin', remember);
    };
  }, [panel]);
}
