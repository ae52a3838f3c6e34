import { cloneElement, type ReactElement } from 'react';

/**
 * A tooltip of an element. It only adds two attributes, so a thousand buttons may have one; `<Tooltips/>`, mounted
 * once, renders the visible one. The child must pass unknown attributes on to its element.
 */
export function Tooltip(props: {
  words: string;
  /** A shortcut such as `Mod+Enter`. */
  keys?: string | undefined;
  children: ReactElement<Record<string, unknown>>;
}) {
  const { words, keys, children } = props;
  return cloneElement(children, tipProps(words, keys));
}

/** The attributes that give an element a tooltip. */
export function tipProps(words: string, keys?: string): Record<string, string> {
  return keys === undefined ? { 'data-tip': words } : { 'data-tip': words, 'data-tip-keys': keys };
}
