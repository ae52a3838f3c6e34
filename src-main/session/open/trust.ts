/** Decides in which folders code may run, from what the user trusted. */

import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { folderIdentity } from '../../lib/folderIdentity.ts';
import { type NotebookFolder, notebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { isImported } from '../../notebook/stored/importRecord.ts';

/**
 * Decides which folders may run code. An untrusted folder can be read and edited like any other; cells,
 * environment and everything else that acts in the user's name wait until the user trusts it (ADR
 * 0007).
 */
export interface Trust {
  /** @param dir a notebook's folder, with links resolved */
  readonly isTrusted: (dir: NotebookFolder) => boolean;
  /** This program has just created the notebook, so it contains nothing foreign. */
  readonly made: (dir: string) => void;
  /** This program has deleted the notebook: a later folder in its place is a different one. */
  readonly removed: (dir: NotebookFolder) => void;
}

/** For `svc` and clients of its API: naming a folder there implies the intent to use it (specification). */
export const TRUST_ALL: Trust = { isTrusted: () => true, made: () => undefined, removed: () => undefined };

/** The trust of a program, to which folders can be added. */
export interface KnownTrust extends Trust {
  /** The user trusts this folder and its content. */
  readonly add: (root: string) => void;
}

/**
 * Trusts everything in `places`, the folders `roots`, added folders and those this program creates. A place
 * is trusted whatever folder is there; a folder only until it is deleted or replaced. An imported notebook is
 * untrusted in any place: it is trusted when it is itself added, or created here.
 */
export function createTrust(options: {
  /** The user's storage root and similar folders, which may not exist yet. */
  readonly places?: readonly string[];
  readonly roots: readonly string[];
  readonly onMade: (dir: string) => void;
  readonly onRemoved: (dir: NotebookFolder) => void;
}): KnownTrust {
  const places = (options.places ?? []).map((place) => resolve(place));
  /** By path: the identity of the folder when it was trusted. */
  const roots = new Map<string, string | null>();
  const add = (root: string): void => void roots.set(resolve(root), folderIdentity(root));
  for (const root of options.roots) add(root);
  const isStill = (root: string, was: string | null): boolean => was !== null && folderIdentity(root) === was;
  return {
    add,
    isTrusted(dir) {
      // Both names count: a folder may be trusted by the name of a link.
      const trusted = [...roots].map(([root, was]) => ({ root, was, names: [root, real(root)] }));
      const own = new Set(places.flatMap((place) => [place, real(place)]));
      for (let at = resolve(dir); ; at = dirname(at)) {
        const here = at;
        if (trusted.some(({ root, was, names }) => names.includes(here) && isStill(root, was))) return true;
        if (isImported(notebookFolder(at))) return false;
        if (own.has(at)) return true;
        if (dirname(at) === at) return false;
      }
    },
    made(dir) {
      add(dir);
      options.onMade(dir);
    },
    removed(dir) {
      roots.delete(resolve(dir));
      options.onRemoved(dir);
    },
  };
}

/** The path with its links resolved. Called each time, because a folder may be created, deleted or become a link. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist now, so it contains nothing.
    return path;
  }
}
