/** The pending request to mount data that was dropped on the window, which opens a dialog. */

/** A request to mount dropped data that is too large to copy, or a folder. The page knows the name but not the path. */
interface MountRequest {
  /** The name of the file or folder. */
  readonly fileName: string;
  readonly isFolder: boolean;
}

let request: MountRequest | null = null;
const listeners = new Set<() => void>();

/** Opens the dialog that adds the mount; null closes it. */
export function requestMount(next: MountRequest | null): void {
  request = next;
  for (const listener of listeners) listener();
}

export function requestedMount(): MountRequest | null {
  return request;
}

/**
 * Calls `listener` on each change.
 * @returns a function that removes the listener
 */
export function onMountRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
