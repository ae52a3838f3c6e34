import { statSync } from 'node:fs';

/**
 * Tells a folder from another one that came to lie at the same place: its number in the file system and the moment it
 * was made there. The number alone is given again soon after a folder is deleted; the moment alone may come out of an
 * archive. Renaming a folder and changing what lies in it keep both.
 * @param path links are followed
 * @returns null where no folder is
 */
export function folderIdentity(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return null;
  return `${found.ino}:${found.birthtimeNs}`;
}

/** Answers whether another folder has come to lie there since; none at all is no other. */
export function replacedSince(path: string): () => boolean {
  const before = folderIdentity(path);
  return () => {
    const now = folderIdentity(path);
    return now !== null && now !== before;
  };
}
