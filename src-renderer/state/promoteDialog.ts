/** Which cell the dialog that promotes a result is open for. */

/**
 * The cell whose result is being promoted; null while the dialog is closed. Commands and panels open it, and the
 * workbench renders it.
 */
let promoting: string | null = null;
const listeners = new Set<() => void>();

export function openPromoteDialog(cellId: string | null): void {
  promoting = cellId;
  for (const listener of listeners) listener();
}

export function promotedCellId(): string | null {
  return promoting;
}

/**
 * Calls `listener` on each change.
 * @returns a function that removes the listener
 */
export function onPromoteDialog(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
