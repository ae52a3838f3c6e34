import { mkdirSync } from 'node:fs';
import { makeFolderAt } from './guardedFolder/names.ts';
import { openFolder } from './guardedFolder/openFolder.ts';
import { isOwn, OWN_FOLDER, placeOf } from './guardedFolder/place.ts';
import { PRIVATE_FOLDER } from './privateFiles.ts';

/**
 * Makes a folder for its owner alone, with those above it. Below a `.svc` no link is followed and the notebook's own folder is never made:
 * one that was moved away is not begun again in its place, which would keep it from being put back (NF-44).
 * @throws ENOENT where the notebook's folder is gone; PlaceRefusal for a link on the way
 */
export function makeFolder(path: string): void {
  const place = placeOf(path);
  if (!isOwn(place)) return void mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  // Of a notebook in the `.svc` of another its own folder has to be there, too.
  openFolder(place.root, place.names.slice(0, place.names.lastIndexOf(OWN_FOLDER))).close();
  makeFolderAt(place);
}
