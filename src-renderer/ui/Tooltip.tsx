import { cloneElement, type ReactElement } from 'react';

/**
 * Words shown beside an element while the pointer rests on it or it has the focus. It costs two attributes, so a
 * thousand buttons may have one; `<Tooltips/>`, mounted once, draws the one that is due.
 * The child passes unknown attributes on to its element.
 */
export function Tooltip(props: {
  words: string;
  /** A chord as `Mod+Enter`. */
  keys?: string | undefined;
  children: ReactElement<Record<string, unknown>>;
}) {
  const { words, keys, children } = props;
  return cloneElement(children, tipProps(words, keys));
}

/** The attributes by which an element has a tooltip. */
export function tipProps(words: string, keys?: string): Record<string, string> {
  return keys === undefined ? { 'data-tip': words } : { 'data-tip': words, 'data-tip-keys': keys };
}
