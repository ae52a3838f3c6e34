/** Data that was dropped and has to be mounted: too large to copy, or a folder. The page knows its name, not its path. */
interface MountWish {
  /** The name of the file or folder. */
  readonly fileName: string;
  readonly isFolder: boolean;
}

let wish: MountWish | null = null;
const listeners = new Set<() => void>();

/** Opens the dialog that adds the mount; null closes it. */
export function wishMount(next: MountWish | null): void {
  wish = next;
  for (const listener of listeners) listener();
}

export function wishedMount(): MountWish | null {
  return wish;
}

/** Calls `listener` when that changes; the answer stops it. */
export function onMountWish(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
