/** Finds all Python files of a notebook's folder that an import runs, directly or through other modules. */

/** The names that `from m import *` takes from one file. */
export interface StarExports {
  /** The module's public names, or those of its `__all__`. */
  readonly names: readonly string[];
  /** Modules that the file itself imports with a star. */
  readonly stars: readonly string[];
}

/** A Python file of the notebook's folder, as last read. */
export interface ModuleFile {
  /** Relative to the notebook's folder, with forward slashes. */
  readonly path: string;
  /** The digest of its normalized source: comments and spacing do not count, as in a cell. */
  readonly digest: string;
  /** The dotted names it may import, with relative ones made absolute. */
  readonly imports: readonly string[];
  /** The names that `from m import *` binds; null if they cannot be determined. */
  readonly star?: StarExports | null;
}

/** The folder's modules: every file that the requested names lead to, and the requested names. */
export interface ModuleFacts {
  readonly files: ReadonlyMap<string, ModuleFile>;
  readonly asked: ReadonlySet<string>;
  /** The names of each module that a cell imports with a star; null if they cannot be determined. */
  readonly stars?: ReadonlyMap<string, readonly string[] | null>;
}

export const NO_MODULES: ModuleFacts = { files: new Map(), asked: new Set() };
export const NO_FILES: readonly ModuleFile[] = [];

/** One part of a dotted name: the files that may define it, in Python's order, then its folder. */
interface Place {
  readonly package: string;
  readonly module: string;
  readonly folder: string;
}

/** Where Python looks for the parts of `a.b.c`, in order, as long as each part before is a package. */
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

/** The absolute name of a module's import: `.x` in `pkg/m.py` is `pkg.x`; null beyond the notebook's folder. */
export function absoluteName(path: string, name: string): string | null {
  const dots = /^\.+/.exec(name)?.[0].length ?? 0;
  if (dots === 0) return name;
  const parents = path.split('/').slice(0, -1);
  const depth = parents.length - (dots - 1);
  if (depth < 1) return null;
  const rest = name.slice(dots);
  return [...parents.slice(0, depth), ...(rest === '' ? [] : [rest])].join('.');
}

const closures = new WeakMap<ModuleFacts, Map<readonly string[], readonly ModuleFile[]>>();

/**
 * Every file of the folder that a program importing `names` runs, directly or through other modules, sorted by path.
 * Equal (identical) facts and names return the same array.
 */
export function closureOf(facts: ModuleFacts, names: readonly string[]): readonly ModuleFile[] {
  if (facts.files.size === 0 || names.length === 0) return NO_FILES;
  const cache = closures.get(facts) ?? new Map<readonly string[], readonly ModuleFile[]>();
  closures.set(facts, cache);
  const closure = cache.get(names) ?? closureFrom(facts, names);
  cache.set(names, closure);
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
      // A plain module has no submodules: the rest of the name is an attribute of it.
      if (file.path === place.module) break;
    }
  }
  if (reached.size === 0) return NO_FILES;
  return [...reached.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether two readings of the folder are equal. */
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
