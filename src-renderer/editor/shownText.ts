import { useSyncExternalStore } from 'react';

/**
 * The text of a cell as it is shown. It changes at every key press, so it is no prop: components that draw it
 * subscribe here, and nothing around the editor is rendered again during typing.
 */
export interface ShownText {
  readonly now: () => string;
  /** Calls the listener when the text may have changed. Returns a function that unsubscribes. */
  readonly watch: (listener: () => void) => () => void;
}

/** The text as it is now; drawn again whenever it changes. */
export function useText(text: ShownText): string {
  return useSyncExternalStore(text.watch, text.now);
}
