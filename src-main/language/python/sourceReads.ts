import { lineOf, type Syntax, textOf } from './syntax.ts';
import type { Excerpt } from './unseen.ts';

/** Functions and attributes that give comments or line numbers, which are not part of the source hash. */
const NAMES =
  /\b(?:getsource(?:lines)?|getcomments|findsource|getblock|getframeinfo|linecache|co_(?:firstlineno|lines|positions|lnotab|linetable)|(?:f|tb)_lineno|__firstlineno__)\b/;

/** A class lists the subclasses that its process knows: those of other cells may be missing. */
const SUBCLASSES = /\b__subclasses__\b/;

interface Source {
  readonly text: string;
  readonly root: Syntax;
}

/** The names through which a program reads its own text or that of other code, each where it is used first. */
export function readSourceReads(source: Source): readonly Excerpt[] {
  return usesOf(NAMES, source);
}

/** The first use of `__subclasses__`. */
export function readSubclassReads(source: Source): readonly Excerpt[] {
  return usesOf(SUBCLASSES, source);
}

function usesOf(names: RegExp, { text, root }: Source): readonly Excerpt[] {
  if (!names.test(text)) return [];
  const uses = new Map<string, Excerpt>();
  collect({ text, names: new RegExp(`^${names.source}$`) }, root, uses);
  return [...uses.values()];
}

function collect(
  { text, names }: { readonly text: string; readonly names: RegExp },
  node: Syntax,
  uses: Map<string, Excerpt>,
): void {
  if (node.type === 'identifier') {
    const name = textOf(text, node);
    if (names.test(name) && !uses.has(name)) uses.set(name, { text: name, line: lineOf(text, node) });
  }
  for (const child of node.children) collect({ text, names }, child, uses);
}
