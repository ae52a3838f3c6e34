/** Data that was dropped and has to be mounted: too large to copy, or a folder. The page knows its name, not its path. */
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

/** Calls `listener` on each change. @returns a function that unsubscribes */
export function onMountRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
