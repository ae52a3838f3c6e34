/** The open dialog of the Python editor (rename, uses or file), as a store that components subscribe to. */

import { useSyncExternalStore } from 'react';
import type { LanguageAnswer, LanguagePlace } from '../../../src-shared/wire/routes/language.ts';

/** The open dialog about a name in the code; null if none is open. */
type LanguageAsk =
  | { readonly kind: 'uses'; readonly name: string; readonly places: readonly LanguagePlace[] }
  | { readonly kind: 'file'; readonly place: Extract<LanguagePlace, { in: 'file' }> }
  | {
      readonly kind: 'rename';
      readonly name: string;
      readonly ask: (newName: string) => Promise<LanguageAnswer | null>;
    };

let openDialog: LanguageAsk | null = null;
const listeners = new Set<() => void>();

export function showLanguageDialog(next: LanguageAsk | null): void {
  openDialog = next;
  for (const listener of listeners) listener();
}

export function useLanguageDialog(): LanguageAsk | null {
  return useSyncExternalStore(watch, () => openDialog);
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
