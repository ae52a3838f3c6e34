import { leadingName } from './leadingName.ts';

/** What a cell is called by what it says of itself; nothing of where it stands. */
export interface Titled {
  /** Its `@name`. */
  readonly name: string | null;
  readonly defines: readonly string[];
  readonly source: string;
}

/** What a cell is called that imports and no more. */
const IMPORTS = 'imports';
/** An import statement that begins a line, with the lines its brackets or backslashes go on for. */
const IMPORT =
  /^(?:from[ \t]+[.\w]+[ \t]+import[ \t]*(?<from>\([^)]*\)|(?:\\\r?\n|[^\r\n#;])*)|import[ \t]+(?<whole>(?:\\\r?\n|[^\r\n#;])*))/gm;

/**
 * A cell's `@name`, else what it is about among the names it defines and does not only import: nobody looks for the
 * cell `math`. One that imports and no more is called so; one that defines nothing has no title.
 */
export function titleOf({ name, defines, source }: Titled): string | null {
  if (name !== null) return name;
  if (defines.length === 0) return null;
  const imported = importedNames(source);
  const own = defines.filter((one) => !imported.has(one));
  return own.length === 0 ? IMPORTS : leadingName(own, source);
}

/** The names that the import statements at the margin of a Python text bind. */
export function importedNames(source: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { groups } of source.matchAll(IMPORT)) {
    const isFrom = groups?.['from'] !== undefined;
    const list = (groups?.['from'] ?? groups?.['whole'] ?? '').replace(/[()\\]|#.*/g, ' ');
    for (const part of list.split(',')) {
      const [, path = '', alias] = /^\s*([.\w]+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? [];
      const bound = alias ?? (isFrom ? path : path.split('.')[0]);
      if (bound !== undefined && bound !== '') names.add(bound);
    }
  }
  return names;
}
