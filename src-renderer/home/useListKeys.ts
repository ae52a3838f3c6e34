import { type RefObject, useEffect } from 'react';

/**
 * Keys of the first page: arrow keys, Home and End go from notebook to notebook through all lists; `/` goes to the
 * search field. There, the down arrow goes to the first notebook and Enter opens it.
 */
export function useListKeys(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const root = page.current;
      if (root === null || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (!(target instanceof HTMLElement) || target.closest('[role=dialog],[role=alertdialog],[role=menu]'))
        return;
      const search = root.querySelector<HTMLInputElement>('input[type=search]');
      if (event.key === '/' && target !== search && target.closest('input,textarea') === null) {
        event.preventDefault();
        search?.focus();
        search?.select();
        return;
      }
      const rows = [...root.querySelectorAll<HTMLElement>('[data-place]')];
      if (target === search) {
        if (event.key === 'Enter') rows[0]?.click();
        else if (event.key === 'ArrowDown') rows[0]?.focus();
        else return;
        event.preventDefault();
        return;
      }
      const at = rows.indexOf(target);
      if (at === -1) return;
      const to = {
        ArrowDown: rows[at + 1],
        ArrowUp: rows[at - 1] ?? search,
        Home: rows[0],
        End: rows.at(-1),
      }[event.key];
      if (to === undefined || to === null) return;
      event.preventDefault();
      to.focus();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [page]);
}
