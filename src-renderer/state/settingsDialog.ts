/** Whether the settings dialog is open. */

/** Whether the settings dialog is open. Any page may open it; the app renders it. */
let open = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

export function openSettings(): void {
  set(true);
}

export function closeSettings(): void {
  set(false);
}

export function settingsOpen(): boolean {
  return open;
}

/**
 * Calls `listener` when the dialog opens or closes.
 * @returns a function that removes the listener
 */
export function onSettingsOpen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
