/** Whether the settings lie over the page: any page may open them, the app draws them. */
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

/** Calls `listener` when they open or close; the answer stops it. */
export function onSettingsOpen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
