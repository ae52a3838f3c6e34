/** The cell whose result is being promoted; null: the dialog is closed. Commands and panels open it, the workbench draws it. */
let promoting: string | null = null;
const listeners = new Set<() => void>();

export function openPromoteDialog(cellId: string | null): void {
  promoting = cellId;
  for (const listener of listeners) listener();
}

export function promotedCellId(): string | null {
  return promoting;
}

/** Calls `listener` on each change. @returns a function that unsubscribes */
export function onPromoteDialog(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
