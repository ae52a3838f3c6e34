import { useSyncExternalStore } from 'react';

/**
 * The text of a cell as it is shown. It changes at every key, so it is not handed down: who draws it reads it here,
 * and nothing around the editor is drawn again while somebody types.
 */
export interface ShownText {
  readonly now: () => string;
  /** Tells when it may have changed; the answer stops it. */
  readonly watch: (listener: () => void) => () => void;
}

/** The text as it is now; drawn again whenever it changes. */
export function useText(text: ShownText): string {
  return useSyncExternalStore(text.watch, text.now);
}
