import { useStore } from 'zustand';
import type { Layout, LayoutActions } from '../state/layout.ts';
import { layoutStore } from '../state/layout.ts';

/** A part of the window's layout. */
export function useLayout<T>(select: (layout: Layout & LayoutActions) => T): T {
  return useStore(layoutStore, select);
}

/** What changes the layout; the same object for ever. */
export function layoutActions(): LayoutActions {
  return layoutStore.getState();
}
