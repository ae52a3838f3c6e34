import { mkdirSync } from 'node:fs';
import { makeFolderAt } from './guardedFolder/names.ts';
import { openFolder } from './guardedFolder/openFolder.ts';
import { isOwn, OWN_FOLDER, placeOf } from './guardedFolder/place.ts';
import { PRIVATE_FOLDER } from './privateFiles.ts';

/**
 * Creates a folder with its parents, accessible to its owner only. Below a `.svc` no link is followed and the
 * notebook's own folder is never created: a folder that was moved away must not be created again in its
 * place, which would prevent moving it back (NF-44). @throws ENOENT if the notebook's folder is missing;
 * PlaceRefusal for a link on the way
 */
export function makePrivateFolder(path: string): void {
  const place = placeOf(path);
  if (!isOwn(place)) return void mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  // For a notebook inside another one's `.svc`, its own folder must exist, too.
  openFolder(place.root, place.names.slice(0, place.names.lastIndexOf(OWN_FOLDER))).close();
  makeFolderAt(place);
}
