import { removeDurably } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { lstatAt } from '../lib/guardedFolder/read.ts';
import { hasContent, removeIfUnchanged } from '../lib/guardedFolder/replace.ts';
import { cellPlace } from './file/cellFile.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';

/**
 * Removes a cell's file if it still has these bytes; if it is a link to another file of the notebook, only
 * the link. @returns false if its content changed; then it stays
 */
export async function removeText(dir: NotebookFolder, file: string, bytes: Uint8Array): Promise<boolean> {
  const place = placeIn(dir, file);
  if (lstatAt(place)?.isSymbolicLink() !== true) return removeIfUnchanged(place, bytes);
  if (!hasContent(cellPlace(dir, file), bytes)) return false;
  await removeDurably(place);
  return true;
}
