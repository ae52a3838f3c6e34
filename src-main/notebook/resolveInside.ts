/** Confines the paths that clients send to the folders that the server may open. */

import { realpath } from 'node:fs/promises';
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { errnoOf } from '../lib/atomicFile.ts';

export type ResolvedPath =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'outside'; readonly message: string }
  /** The path is inside by name, but this process may not follow it. */
  | { readonly kind: 'forbidden'; readonly message: string };

/**
 * Confines a path to the folders this process may use (docs/spec/rest-notebooks.md, 3). A relative path is relative to
 * the first root; links are resolved before the decision, so that none leads outside. The path itself may not exist
 * yet.
 */
export async function resolveInside(roots: readonly string[], path: string): Promise<ResolvedPath> {
  const [first] = roots;
  if (first === undefined)
    return { kind: 'outside', message: 'This server is not allowed to open any folder.' };
  if (path.includes('\0')) return { kind: 'outside', message: 'A path cannot contain a NUL character.' };
  if (path.split(/[\\/]/).includes('..')) {
    return {
      kind: 'outside',
      message: `The path ${JSON.stringify(path)} contains "..", which is not allowed.`,
    };
  }
  const target = isAbsolute(path) ? resolve(path) : resolve(first, path);
  let real: string;
  try {
    real = await realOf(target);
  } catch (error) {
    const isInside = roots.some((root) => isBelow(resolve(root), target));
    if (!isPermission(error)) return unfollowable(error, path);
    // For a path outside, not even its existence is revealed.
    return isInside ? { kind: 'forbidden', message: forbiddenMessage(path) } : outside(path, first);
  }
  for (const root of roots) {
    if (isBelow(await realOf(resolve(root)), real)) return { kind: 'inside', path: real };
  }
  return outside(path, first);
}

function outside(path: string, first: string): ResolvedPath {
  return {
    kind: 'outside',
    message: `${path} is outside the notebook folder ${first}. Start the server with --grant to open notebooks elsewhere.`,
  };
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/**
 * The result for a path whose links cannot be followed. Link loops and overlong names count as outside; other failures
 * are problems of the machine.
 */
function unfollowable(error: unknown, path: string): ResolvedPath {
  const code = errnoOf(error);
  if (code !== 'ELOOP' && code !== 'ENAMETOOLONG') throw error;
  return { kind: 'outside', message: `${path} is not a folder.` };
}

/** Whether the system denied something to this process that it may allow to another. */
export function isPermission(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'EACCES' || code === 'EPERM';
}

export function forbiddenMessage(path: string): string {
  return `${path} cannot be opened: this program has no permission to read it. Change its permissions, or start Cellar as its owner.`;
}

/** The path with its links resolved as far as it exists. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // From the top, so that the work is bounded by the existing part of the path.
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep);
  let real = root;
  for (const [at, part] of parts.entries()) {
    try {
      real = await realpath(join(real, part));
    } catch (error) {
      if (!isMissing(error)) throw error;
      return join(real, ...parts.slice(at));
    }
  }
  return real;
}

function isMissing(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
