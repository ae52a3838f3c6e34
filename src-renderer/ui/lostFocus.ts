/**
 * Whether the focused element was removed, so that nothing has the focus, or only the dialog around `place`, which
 * takes it in that case.
 */
export function isFocusLost(place: Element | null): boolean {
  const active = document.activeElement;
  if (active === null || active === document.body) return true;
  return place !== null && active.matches('[role=dialog]') && active.contains(place);
}
