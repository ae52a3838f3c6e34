import type { StarGift } from './starNames.ts';

/** One Python file of the notebook's own folder, as it was read. */
export interface ModuleFile {
  /** From the notebook's folder, with forward slashes. */
  readonly path: string;
  /** Of what the file means: comments and spacing do not count, as in a cell. */
  readonly digest: string;
  /** The dotted names it may import, its own relative ones made absolute. */
  readonly imports: readonly string[];
  /** What it gives to `from m import *`; null where that cannot be read. */
  readonly star?: StarGift | null;
}

/** What is known of the folder's modules: every file that a name asked for leads to, and which names were asked. */
export interface ModuleFacts {
  readonly files: ReadonlyMap<string, ModuleFile>;
  readonly asked: ReadonlySet<string>;
  /** The names of each module that a cell imports with a star; null where they cannot be known. */
  readonly stars?: ReadonlyMap<string, readonly string[] | null>;
}

export const NO_MODULES: ModuleFacts = { files: new Map(), asked: new Set() };
export const NO_FILES: readonly ModuleFile[] = [];

/** A step of the way a dotted name leads: the files that may stand for it, in Python's order, then its folder. */
export interface Place {
  readonly package: string;
  readonly module: string;
  readonly folder: string;
}

/** Where the parts of `a.b.c` are looked for, one after another, if each one before was a package. */
export function placesOf(dotted: string): readonly Place[] {
  const places: Place[] = [];
  let folder = '';
  for (const part of dotted.split('.')) {
    if (part === '') return [];
    folder = folder === '' ? part : `${folder}/${part}`;
    places.push({ package: `${folder}/__init__.py`, module: `${folder}.py`, folder });
  }
  return places;
}

/** What a module's own imports mean: `.x` in `pkg/m.py` is `pkg.x`, beyond the folder it is nothing. */
export function absoluteName(path: string, name: string): string | null {
  const dots = /^\.+/.exec(name)?.[0].length ?? 0;
  if (dots === 0) return name;
  const parents = path.split('/').slice(0, -1);
  const kept = parents.length - (dots - 1);
  if (kept < 1) return null;
  const rest = name.slice(dots);
  return [...parents.slice(0, kept), ...(rest === '' ? [] : [rest])].join('.');
}

const closures = new WeakMap<ModuleFacts, Map<readonly string[], readonly ModuleFile[]>>();

/**
 * Every file of the folder that a program importing `names` runs, by path, those its modules import too. The same
 * list for the same facts and names.
 */
export function closureOf(facts: ModuleFacts, names: readonly string[]): readonly ModuleFile[] {
  if (facts.files.size === 0 || names.length === 0) return NO_FILES;
  const known = closures.get(facts) ?? new Map<readonly string[], readonly ModuleFile[]>();
  closures.set(facts, known);
  const closure = known.get(names) ?? closureFrom(facts, names);
  known.set(names, closure);
  return closure;
}

function closureFrom({ files }: ModuleFacts, names: readonly string[]): readonly ModuleFile[] {
  const reached = new Map<string, ModuleFile>();
  const pending = [...names];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    for (const place of placesOf(name)) {
      const file = files.get(place.package) ?? files.get(place.module);
      if (file === undefined) continue;
      if (!reached.has(file.path)) {
        reached.set(file.path, file);
        pending.push(...file.imports);
      }
      // A plain module ends the way: what follows is an attribute of it.
      if (file.path === place.module) break;
    }
  }
  if (reached.size === 0) return NO_FILES;
  return [...reached.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether two readings of the folder say the same. */
export function sameFacts(a: ModuleFacts, b: ModuleFacts): boolean {
  return (
    JSON.stringify([...(a.stars ?? [])]) === JSON.stringify([...(b.stars ?? [])]) &&
    a.asked.size === b.asked.size &&
    a.files.size === b.files.size &&
    [...a.asked].every((name) => b.asked.has(name)) &&
    [...a.files].every(([path, file]) => {
      const other = b.files.get(path);
      return (
        other === file ||
        (other?.digest === file.digest && other.imports.join('\0') === file.imports.join('\0'))
      );
    })
  );
}
