import { realpath } from 'node:fs/promises';
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { errnoOf } from '../lib/atomicFile.ts';

export type Resolved =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'outside'; readonly message: string };

/**
 * Confines a path to the folders this process may use (document 2, open). A relative path is taken from the first
 * root; links are followed before the decision, so that none leads out. The path itself may not exist yet.
 */
export async function resolveInside(roots: readonly string[], path: string): Promise<Resolved> {
  const [first] = roots;
  if (first === undefined) return { kind: 'outside', message: 'No folder may be opened by this server.' };
  if (path.includes('\0')) return { kind: 'outside', message: 'A path cannot hold a NUL character.' };
  if (path.split(/[\\/]/).includes('..')) {
    return { kind: 'outside', message: `The path ${JSON.stringify(path)} climbs with "..".` };
  }
  const wanted = await realOf(isAbsolute(path) ? resolve(path) : resolve(first, path)).catch(unfollowable);
  if (wanted === null) return { kind: 'outside', message: `${path} cannot be followed to a folder.` };
  for (const root of roots) {
    const inside = relative(await realOf(resolve(root)), wanted);
    if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) {
      return { kind: 'inside', path: wanted };
    }
  }
  return {
    kind: 'outside',
    message: `${path} lies outside the notebook folder ${first}. Start the server with --grant to open notebooks elsewhere.`,
  };
}

/** Link loops and folders nobody may enter lead nowhere; other failures are the machine's. */
function unfollowable(error: unknown): null {
  const code = errnoOf(error);
  if (code === 'ELOOP' || code === 'EACCES' || code === 'ENAMETOOLONG') return null;
  throw error;
}

/** The path with its links followed as far as it exists. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  // From the top, so that the work is bounded by what exists, not by what was asked for.
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
