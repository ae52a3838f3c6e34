import type { PythonAnalysis } from '../python/analyzer.ts';
import { absoluteName, type ModuleFacts, placesOf } from './closure.ts';

/** What `from m import *` takes from one file. */
export interface StarGift {
  /** Its public names, or those of its `__all__`. */
  readonly names: readonly string[];
  /** Modules whose names it takes over itself. */
  readonly stars: readonly string[];
}

/** The names an installed module gives; null: it cannot be asked. Undefined: not now, but perhaps later. */
export type AskInstalled = (module: string) => Promise<readonly string[] | null | undefined>;

/** Null where an `__all__` is put together as the module runs. */
export function starGiftOf(
  path: string,
  {
    parsed,
    normalized,
    defines,
    unseen,
  }: Pick<PythonAnalysis, 'parsed' | 'normalized' | 'defines' | 'unseen'>,
): StarGift | null {
  if (!parsed) return null;
  const said = normalized.match(/\b__all__\b/g)?.length ?? 0;
  if (said === 0) {
    const stars = unseen.stars.flatMap(({ text }) => absoluteName(path, text) ?? []);
    return { names: defines, stars };
  }
  const list = /^__all__ = [[(](.*)[\])]$/m.exec(normalized)?.[1];
  if (said > 1 || list === undefined || !/^(\s*'[^'\\]*'\s*,?)*$/.test(list)) return null;
  const names = Array.from(list.matchAll(/'([^']*)'/g), ([, name = '']) => name);
  return { names: names.filter((name) => !name.startsWith('_')), stars: [] };
}

/**
 * The names each module gives to a star import: read from the files of the folder, asked of the interpreter for any
 * other. Null where they cannot be known; a module is left out where they are not known yet.
 */
export async function readStars(
  modules: Iterable<string>,
  files: ModuleFacts['files'],
  ask: AskInstalled,
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const found = new Map<string, readonly string[] | null>();
  for (const module of modules) {
    const names = await namesOf(module, { files, ask, open: new Set() });
    if (names !== undefined) found.set(module, names === null ? null : [...new Set(names)].sort());
  }
  return found;
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

/** What the star imports of a cell bring, as far as it is known. */
export function starNamesOf(
  stars: readonly { readonly text: string }[],
  { stars: known }: Pick<ModuleFacts, 'stars'>,
): readonly string[] {
  if (stars.length === 0 || known === undefined) return NO_STARS;
  return [...new Set(stars.flatMap(({ text }) => known.get(text) ?? []))].sort();
}
