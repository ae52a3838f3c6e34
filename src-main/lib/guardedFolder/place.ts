/** Divides a path into a guarded folder (the notebook's) and the names below it, none of which may be a link. */

import { basename, dirname, join, sep } from 'node:path';

/**
 * A place below a folder of unknown origin. The folder itself may be reached through links, because the user chose it;
 * none of the names below it may be a link.
 */
export interface Place {
  /** The absolute path of the guarded folder. */
  readonly root: string;
  readonly names: readonly string[];
}

/**
 * The target of the functions in this folder. For a path that contains `.svc`, the guarded folder is the
 * parent of the first `.svc`. For any other path only the last name is guarded, so a caller that works
 * elsewhere in a notebook's folder passes the {@link Place}.
 */
export type Target = Place | string;

/** The folder below which everything belongs to Cellar. */
export const OWN_FOLDER = '.svc';

/**
 * The place of a path below a folder. @param parts relative, with the system's separator or `/` @throws
 * RangeError for a part that leaves the folder or that no file can have
 */
export function placeIn(root: string, ...parts: readonly string[]): Place {
  const names = parts
    .flatMap((part) => part.split(sep === '\\' ? /[\\/]/ : '/'))
    .filter((name) => name !== '' && name !== '.');
  for (const name of names) {
    if (name === '..' || name.includes('\0'))
      throw new RangeError(`${JSON.stringify(join(...parts))} is not a path below a folder.`);
  }
  return { root, names };
}

/** A place below another one. @throws RangeError as {@link placeIn} */
export function placeUnder(target: Target, ...parts: readonly string[]): Place {
  const { root, names } = placeOf(target);
  return { root, names: [...names, ...placeIn(root, ...parts).names] };
}

export function placeOf(target: Target): Place {
  if (typeof target !== 'string') return target;
  const own = firstOwn(target);
  if (own === -1) return { root: dirname(target), names: [basename(target)] };
  return placeIn(target.slice(0, own) || sep, target.slice(own + 1));
}

export function pathOf(target: Target): string {
  return typeof target === 'string' ? target : join(target.root, ...target.names);
}

/** Whether everything there belongs to Cellar: a link there is never a user's file, and may be replaced. */
export function isOwn({ names }: Place): boolean {
  return names[0] === OWN_FOLDER;
}

/** The index of the separator before the first `.svc`. */
function firstOwn(path: string): number {
  const between = path.indexOf(`${sep}${OWN_FOLDER}${sep}`);
  if (between !== -1) return between;
  return path.endsWith(`${sep}${OWN_FOLDER}`) ? path.length - OWN_FOLDER.length - 1 : -1;
}
