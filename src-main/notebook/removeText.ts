import { removeDurably } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { lookAt } from '../lib/guardedFolder/read.ts';
import { holds, removeHolding } from '../lib/guardedFolder/replace.ts';
import { cellPlace } from './file/cellFile.ts';

/**
 * Removes a cell's file that still has these bytes; of one that is a link to another file of the notebook, the link.
 * @returns false where it has other bytes by now, and is left
 */
export async function removeText(dir: string, file: string, bytes: Uint8Array): Promise<boolean> {
  const place = placeIn(dir, file);
  if (lookAt(place)?.isSymbolicLink() !== true) return removeHolding(place, bytes);
  if (!holds(cellPlace(dir, file), bytes)) return false;
  await removeDurably(place);
  return true;
}
