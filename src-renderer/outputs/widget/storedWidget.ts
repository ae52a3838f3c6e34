/** Whether a stored display holds the state of its widget; older ones and imported ones hold its view alone. */
export function hasState(text: string): boolean {
  try {
    const view: unknown = JSON.parse(text);
    return typeof view === 'object' && view !== null && 'model_id' in view && 'state' in view;
  } catch {
    return false;
  }
}
