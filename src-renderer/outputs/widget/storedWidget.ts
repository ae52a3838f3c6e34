/** Whether a stored display contains the state of its widget; older and imported displays contain only its view. */
export function hasState(text: string): boolean {
  try {
    const view: unknown = JSON.parse(text);
    return typeof view === 'object' && view !== null && 'model_id' in view && 'state' in view;
  } catch {
    return false;
  }
}
