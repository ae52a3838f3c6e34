import { useEffect, useState } from 'react';
import { shellBridge } from '../state/shellBridge.ts';
import { toast } from '../ui/Toast.tsx';
import { HOME_WORDS } from '../ui/words/home.ts';

const IMPORTED = /\.(ipynb|zip)$/i;

/**
 * Folders dropped onto the page. In the desktop window they are opened; a browser does not say where they lie, so
 * the person is asked (`onNamed`). Files that will be imported one day are named as such.
 * @returns whether something is being dragged over the page
 */
export function useFolderDrop(onPath: (path: string) => void, onNamed: (name: string) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // Every element entered also leaves: only when all are left is the page left.
    let depth = 0;
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const enter = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      depth -= 1;
      if (depth <= 0) setOver(false);
    };
    const above = (event: DragEvent): void => {
      if (carriesFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      const entry = event.dataTransfer?.items[0]?.webkitGetAsEntry() ?? null;
      // Where nobody says what it is, a name with an ending is a file's.
      const isFolder = entry === null ? !/\.\w+$/.test(file.name) : entry.isDirectory;
      void take(file, { isFolder, onPath, onNamed });
    };
    const listen = { dragenter: enter, dragleave: leave, dragover: above, drop };
    for (const [name, listener] of Object.entries(listen)) {
      window.addEventListener(name, listener as EventListener); // by its name
    }
    return () => {
      for (const [name, listener] of Object.entries(listen)) {
        window.removeEventListener(name, listener as EventListener);
      }
    };
  }, [onPath, onNamed]);
  return over;
}

async function take(
  file: File,
  how: { isFolder: boolean; onPath: (path: string) => void; onNamed: (name: string) => void },
): Promise<void> {
  if (!how.isFolder) {
    const words = IMPORTED.test(file.name) ? HOME_WORDS.dropImport : HOME_WORDS.dropNotFolder;
    toast(words(file.name), { tone: 'warn' });
    return;
  }
  const shell = shellBridge();
  if (shell === null) return how.onNamed(file.name);
  const path = await shell.grantDropped(file);
  if (path === null) toast(HOME_WORDS.dropNotFolder(file.name), { tone: 'error' });
  else how.onPath(path);
}
