import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { folderIdentity } from '../../lib/folderIdentity.ts';
import { isImported } from '../../notebook/kept/importRecord.ts';

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

/**
 * Trusts what lies at `places`, in the folders of `roots`, in those that were added and those this program makes. A
 * place is trusted whatever comes to lie there; a folder until it is deleted or another one lies in its place. An
 * imported notebook is a stranger's wherever it lies: it is trusted when it is itself added, or made here.
 */
export function createTrust(options: {
  /** The person's storage root and its like, which may not be there yet. */
  readonly places?: readonly string[];
  readonly roots: readonly string[];
  readonly onMade: (dir: string) => void;
  readonly onRemoved: (dir: string) => void;
}): KnownTrust {
  const places = (options.places ?? []).map((place) => resolve(place));
  /** By path: which folder it was when it was trusted. */
  const roots = new Map<string, string | null>();
  const add = (root: string): void => void roots.set(resolve(root), folderIdentity(root));
  for (const root of options.roots) add(root);
  const isStill = (root: string, was: string | null): boolean => was !== null && folderIdentity(root) === was;
  return {
    add,
    isTrusted(dir) {
      // Under both names: a folder may be trusted by the name of a link.
      const trusted = [...roots].map(([root, was]) => ({ root, was, names: [root, real(root)] }));
      const own = new Set(places.flatMap((place) => [place, real(place)]));
      for (let at = resolve(dir); ; at = dirname(at)) {
        const here = at;
        if (trusted.some(({ root, was, names }) => names.includes(here) && isStill(root, was))) return true;
        if (isImported(at)) return false;
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

/** Asked each time: a folder may come and go, and be a link to another place meanwhile. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there now: nothing lies in it.
    return path;
  }
}
