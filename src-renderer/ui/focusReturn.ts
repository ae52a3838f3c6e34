/** Remembers which element had the focus before an overlay opened, so that it gets the focus back. */

/**
 * The element that had the focus before an overlay opened. An overlay that opens another one (the palette a dialog) is
 * removed before the new one reads the focus, so the element is stored here.
 */
let home: HTMLElement | null = null;

/** Called by an overlay that takes the focus for a while; with null after it has returned the focus. */
export function setFocusReturn(element: Element | null): void {
  home = element instanceof HTMLElement ? element : null;
}

/**
 * The element to which an overlay returns the focus.
 * @param active the element that has the focus when the overlay opens
 */
export function focusReturnTarget(active: Element | null): HTMLElement | null {
  const isFocusLost = active === null || active === document.body || !active.isConnected;
  if (isFocusLost) return home;
  return active instanceof HTMLElement ? active : null;
}
