/**
 * Where the focus was before something came over the page. One that opens another in its place (the palette a
 * dialog) is gone before that other looks where the focus is.
 */
let home: HTMLElement | null = null;

/** Told by who takes the focus for a moment; null once it is given back. */
export function setFocusHome(element: Element | null): void {
  home = element instanceof HTMLElement ? element : null;
}

/** What to give the focus back to, by who takes it while `active` has it. */
export function focusHome(active: Element | null): HTMLElement | null {
  const lost = active === null || active === document.body || !active.isConnected;
  if (lost) return home;
  return active instanceof HTMLElement ? active : null;
}
