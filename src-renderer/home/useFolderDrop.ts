import { useCallback } from 'react';
import { shellBridge } from '../state/shellBridge.ts';
import { toast } from '../ui/Toast.tsx';
import { useFileDrop } from '../ui/useFileDrop.ts';
import { HOME_WORDS } from '../words/home.ts';
import { isImportable } from './importFile.ts';

/**
 * Handles folders dropped onto the page. The desktop window opens them; a browser does not reveal their paths, so the
 * user is asked for the path (`onNamed`). Files that can be imported are passed to `onFile`.
 * @returns whether something is being dragged over the page
 */
export function useFolderDrop(
  onPath: (path: string) => void,
  onNamed: (name: string) => void,
  onFile: (file: File) => void,
): boolean {
  return useFileDrop(
    useCallback(
      (data) => {
        const file = data.files[0];
        if (file === undefined) return;
        const entry = data.items[0]?.webkitGetAsEntry() ?? null;
        // If the browser does not say whether it is a folder, a name with an extension counts as a file.
        const isFolder = entry === null ? !/\.\w+$/.test(file.name) : entry.isDirectory;
        void take(file, { isFolder, onPath, onNamed, onFile });
      },
      [onPath, onNamed, onFile],
    ),
  );
}

async function take(
  file: File,
  how: {
    isFolder: boolean;
    onPath: (path: string) => void;
    onNamed: (name: string) => void;
    onFile: (file: File) => void;
  },
): Promise<void> {
  if (!how.isFolder) {
    if (isImportable(file.name)) how.onFile(file);
    else toast(HOME_WORDS.dropNotFolder(file.name), { tone: 'warn' });
    return;
  }
  const shell = shellBridge();
  if (shell === null) return how.onNamed(file.name);
  const path = await shell.grantDropped(file);
  if (path === null) toast(HOME_WORDS.dropNotFolder(file.name), { tone: 'error' });
  else how.onPath(path);
}
