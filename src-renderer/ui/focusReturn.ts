/**
 * The element that had the focus before an overlay opened. An overlay that opens another one (the palette a dialog) is
 * removed before the new one reads the focus, so the element is stored here.
 */
let home: HTMLElement | null = null;

/** Called by an overlay that takes the focus for a moment; null once it has returned it. */
export function setFocusReturn(element: Element | null): void {
  home = element instanceof HTMLElement ? element : null;
}

/** The element to return the focus to, for an overlay that takes it from `active`. */
export function focusReturnTarget(active: Element | null): HTMLElement | null {
  const isFocusLost = active === null || active === document.body || !active.isConnected;
  if (isFocusLost) return home;
  return active instanceof HTMLElement ? active : null;
}
