/** Refuses to start uv or renv in a notebook's folder where they would write through a link. */

import { checkedPath } from '../../lib/guardedFolder/names.ts';
import { OWN_FOLDER, placeIn } from '../../lib/guardedFolder/place.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { unshareFile } from '../../lib/guardedFolder/replace.ts';

/** Files and folders that a package manager writes in a notebook's folder, in place and through links. */
const PLACES = {
  python: ['pyproject.toml', 'uv.lock', '.venv', OWN_FOLDER],
  r: [
    'renv.lock',
    '.Rprofile',
    'renv',
    'renv/library',
    'renv/staging',
    'renv/activate.R',
    'renv/settings.json',
    OWN_FOLDER,
  ],
} as const;

/**
 * Call right before a package manager starts in a notebook's folder: it would follow links, and write to files that
 * are shared with another copy of the folder.
 * @returns why it must not start, or null
 */
export function refusedPlace(dir: string, kind: keyof typeof PLACES): string | null {
  try {
    for (const name of PLACES[kind]) {
      checkedPath(placeIn(dir, name));
      unshareFile(placeIn(dir, name));
    }
    return null;
  } catch (error) {
    if (error instanceof PlaceRefusal) return error.message;
    throw error;
  }
}
