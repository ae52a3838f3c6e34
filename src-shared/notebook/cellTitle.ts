/** Chooses the title under which a cell is listed. */

import { leadingName } from './leadingName.ts';

/** The parts of a cell that its title is made from; its position is not one of them. */
interface TitledCell {
  /** Its `@name`. */
  readonly name: string | null;
  readonly defines: readonly string[];
  readonly source: string;
}

/** The title of a cell that only imports. */
const IMPORTS = 'imports';
/** An import statement at the start of a line, with its continuation lines. */
const IMPORT =
  /^(?:from[ \t]+[.\w]+[ \t]+import[ \t]*(?<from>\([^)]*\)|(?:\\\r?\n|[^\r\n#;])*)|import[ \t]+(?<whole>(?:\\\r?\n|[^\r\n#;])*))/gm;

/**
 * A cell's `@name`, else the most descriptive of the names it defines other than imports, because a title
 * `math` would not help. A cell that only imports is called "imports"; one that defines nothing has no title.
 */
export function titleOf({ name, defines, source }: TitledCell): string | null {
  if (name !== null) return name;
  if (defines.length === 0) return null;
  const imported = importedNames(source);
  const own = defines.filter((one) => !imported.has(one));
  return own.length === 0 ? IMPORTS : leadingName(own, source);
}

/** The names bound by the unindented import statements of a Python text. */
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
