/** Whether the focused element was removed: nothing has the focus, or the dialog around `place`, which takes it then. */
export function isFocusLost(place: Element | null): boolean {
  const active = document.activeElement;
  if (active === null || active === document.body) return true;
  return place !== null && active.matches('[role=dialog]') && active.contains(place);
}
