/** React context of the open notebook, and hooks that select parts of its state for components. */

import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { NotebookSession } from '../live/notebookSession.ts';
import type { NotebookView } from '../state/notebookStore.ts';

export const SessionContext = createContext<NotebookSession | null>(null);

export function useSession(): NotebookSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('used outside a notebook page');
  return session;
}

/**
 * A part of the view; the component is rendered again only when this part changes. The selector runs at every change,
 * so use it for components that exist once per page. Cells use `useCell`.
 */
export function useView<T>(select: (view: NotebookView) => T): T {
  return useStore(useSession().store, select);
}

/** A part that the selector builds again at each change; while `same` holds, the old object is returned. */
export function useViewSame<T>(select: (view: NotebookView) => T, same: (a: T, b: T) => boolean): T {
  return useView(useSteady(select, same));
}

/** Several parts, each compared by identity. */
export function useViewParts<T extends Readonly<Record<string, unknown>>>(
  select: (view: NotebookView) => T,
): T {
  return useView(useSteady(select, sameParts));
}

/** A part of the view for one cell: the selector runs only when a change affects this cell (`changedCells`). */
export function useCell<T>(
  cellId: string,
  select: (view: NotebookView) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  const { store, watchCell } = useSession();
  const subscribe = useCallback((listener: () => void) => watchCell(cellId, listener), [watchCell, cellId]);
  const steady = useSteady(select, same);
  return useSyncExternalStore(subscribe, () => steady(store.getState()));
}

/** Several parts for one cell, each compared by identity. */
export function useCellParts<T extends Readonly<Record<string, unknown>>>(
  cellId: string,
  select: (view: NotebookView) => T,
): T {
  return useCell(cellId, select, sameParts);
}

/** For selectors that build a new object each time: while it is equal to the last one, the last one is returned. */
function useSteady<T>(select: (view: NotebookView) => T, same: (a: T, b: T) => boolean) {
  const last = useRef<{ value: T } | null>(null);
  return (view: NotebookView): T => {
    const value = select(view);
    if (last.current !== null && same(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  };
}

function sameParts(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  for (const key in a) {
    if (!Object.is(a[key], b[key])) return false;
  }
  return true;
}
