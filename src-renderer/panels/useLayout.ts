import { useStore } from 'zustand';
import type { Layout, LayoutActions } from '../state/layout.ts';
import { layoutStore } from '../state/layout.ts';

/**
 * Hook for a part of the window's layout (open panels and their sizes); the component renders again when this part
 * changes.
 */
export function useLayout<T>(select: (layout: Layout & LayoutActions) => T): T {
  return useStore(layoutStore, select);
}

/** The functions that change the layout; always the same object. */
export function layoutActions(): LayoutActions {
  return layoutStore.getState();
}
