/** Finds the names that `from x import *` binds in a cell, from files of the notebook and from installed modules. */

import type { PythonAnalysis } from '../python/analyzer.ts';
import type { StarExports } from './closure.ts';
import { absoluteName, type ModuleFacts, placesOf } from './closure.ts';

/** The public names of an installed module; null: unknown; undefined: unknown now, but possibly known later. */
export type AskInstalled = (module: string) => Promise<readonly string[] | null | undefined>;

/**
 * The names that a star import of a file takes from it; null if the module computes its `__all__`, or cannot be parsed.
 */
export function starExportsOf(
  path: string,
  {
    parsed,
    normalized,
    defines,
    unseen,
  }: Pick<PythonAnalysis, 'parsed' | 'normalized' | 'defines' | 'unseen'>,
): StarExports | null {
  if (!parsed) return null;
  const mentions = normalized.match(/\b__all__\b/g)?.length ?? 0;
  if (mentions === 0) {
    const stars = unseen.stars.flatMap(({ text }) => absoluteName(path, text) ?? []);
    return { names: defines, stars };
  }
  const list = /^__all__ = [[(](.*)[\])]$/m.exec(normalized)?.[1];
  if (mentions > 1 || list === undefined || !/^(\s*'[^'\\]*'\s*,?)*$/.test(list)) return null;
  const names = Array.from(list.matchAll(/'([^']*)'/g), ([, name = '']) => name);
  return { names: names.filter((name) => !name.startsWith('_')), stars: [] };
}

/**
 * The names that a star import of each module binds: read from the folder's files, or else asked of the interpreter.
 * Null if they cannot be determined; a module is left out while they are not known yet.
 */
export async function readStars(
  modules: Iterable<string>,
  files: ModuleFacts['files'],
  ask: AskInstalled,
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const namesByModule = new Map<string, readonly string[] | null>();
  for (const module of modules) {
    const names = await namesOf(module, { files, ask, open: new Set() });
    if (names !== undefined) namesByModule.set(module, names === null ? null : [...new Set(names)].sort());
  }
  return namesByModule;
}

async function namesOf(
  module: string,
  search: { readonly files: ModuleFacts['files']; readonly ask: AskInstalled; readonly open: Set<string> },
): Promise<readonly string[] | null | undefined> {
  const { files, ask, open } = search;
  if (open.has(module)) return [];
  open.add(module);
  const last = placesOf(module).at(-1);
  const file = last === undefined ? undefined : (files.get(last.package) ?? files.get(last.module));
  if (file === undefined) return module.startsWith('.') ? null : ask(module);
  if (file.star === undefined || file.star === null) return null;
  const all = [...file.star.names];
  for (const star of file.star.stars) {
    const more = await namesOf(star, search);
    if (more === null || more === undefined) return more;
    all.push(...more.filter((name) => !name.startsWith('_')));
  }
  return all;
}

const NO_STARS: readonly string[] = [];

/** The names that a cell's star imports bind, as far as they are known. */
export function starNamesOf(
  stars: readonly { readonly text: string }[],
  { stars: starNames }: Pick<ModuleFacts, 'stars'>,
): readonly string[] {
  if (stars.length === 0 || starNames === undefined) return NO_STARS;
  return [...new Set(stars.flatMap(({ text }) => starNames.get(text) ?? []))].sort();
}
