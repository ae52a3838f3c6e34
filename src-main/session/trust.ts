import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWithin } from '../notebook/removeNotebook.ts';

/**
 * Whose folders may run something. A folder from elsewhere is read and edited like any other; cells, environment and
 * whatever else acts in the person's name wait until they trust it (design, Workspace trust).
 */
export interface Trust {
  /** @param dir a notebook's folder, with links resolved */
  readonly isTrusted: (dir: string) => boolean;
  /** This program has just made the notebook: nothing in it is somebody else's. */
  readonly made: (dir: string) => void;
  /** This program has deleted the notebook: what comes to lie there later is another one. */
  readonly removed: (dir: string) => void;
}

/** `svc` and clients of its API: who names a folder there means to use it (specification). */
export const TRUST_ALL: Trust = { isTrusted: () => true, made: () => undefined, removed: () => undefined };

export interface KnownTrust extends Trust {
  /** The person trusts this folder and what lies in it. */
  readonly add: (root: string) => void;
}

/** Trusts what lies in `roots`, what was added, and what this program makes, until it deletes it. */
export function createTrust(options: {
  readonly roots: readonly string[];
  readonly onMade: (dir: string) => void;
  readonly onRemoved: (dir: string) => void;
}): KnownTrust {
  const roots = new Set(options.roots.map((root) => resolve(root)));
  const add = (root: string): void => void roots.add(resolve(root));
  return {
    add,
    isTrusted: (dir) =>
      [...roots].some((root) => isWithin(dir, root)) || [...roots].some((root) => isWithin(dir, real(root))),
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

/** Asked anew each time: a folder may come and go, and be a link to another place meanwhile. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there now: nothing lies in it.
    return path;
  }
}
