import { statSync } from 'node:fs';

/**
 * Identifies a folder, to distinguish it from a later one at the same path: its inode number and its creation time. The
 * number alone is reused soon after a folder is deleted; the time alone may come from an archive. Renaming a folder and
 * changing its content keep both.
 * @param path links are followed
 * @returns null if there is no folder
 */
export function folderIdentity(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return null;
  return `${stats.ino}:${stats.birthtimeNs}`;
}

/**
 * Returns a function that tells whether another folder has replaced this one; a missing folder does not
 * count.
 */
export function replacedSince(path: string): () => boolean {
  const before = folderIdentity(path);
  return () => {
    const now = folderIdentity(path);
    return now !== null && now !== before;
  };
}
