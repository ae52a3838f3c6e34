import { useEffect } from 'react';
import { writeFoldedSections } from '../state/foldedSections.ts';
import { unfoldOnFocus } from '../state/sections.ts';
import { useSession } from './context.ts';

/** Folded sections are remembered, and open where a cell in them is gone to. */
export function useSections(): void {
  const { store } = useSession();
  useEffect(() => {
    const stopFocus = unfoldOnFocus(store);
    const stopKeeping = store.subscribe((now, before) => {
      if (now.foldedSections !== before.foldedSections)
        writeFoldedSections(now.path, Object.keys(now.foldedSections));
    });
    return () => {
      stopFocus();
      stopKeeping();
    };
  }, [store]);
}
