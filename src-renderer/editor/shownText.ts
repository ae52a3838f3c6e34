import { useSyncExternalStore } from 'react';

/**
 * The text of a cell as it is shown. It changes at every key press, so it is not passed as a value: components that
 * draw it subscribe here, and nothing around the editor renders again during typing.
 */
export interface ShownText {
  readonly now: () => string;
  /** Calls the listener when the text may have changed. Returns a function that unsubscribes. */
  readonly watch: (listener: () => void) => () => void;
}

/** The current text; the component renders again whenever the text changes. */
export function useText(text: ShownText): string {
  return useSyncExternalStore(text.watch, text.now);
}
