import { lineOf, type Syntax, textOf } from './syntax.ts';
import type { Excerpt } from './unseen.ts';

/** Functions and attributes that give comments or line numbers, which are not part of the source hash. */
const NAMES =
  /\b(?:getsource(?:lines)?|getcomments|findsource|getblock|getframeinfo|linecache|co_(?:firstlineno|lines|positions|lnotab|linetable)|(?:f|tb)_lineno|__firstlineno__)\b/;
const WHOLE = new RegExp(`^${NAMES.source}$`);

/** The names through which a program reads its own text or that of other code, each where it is used first. */
export function readSourceReads({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly Excerpt[] {
  if (!NAMES.test(text)) return [];
  const reads = new Map<string, Excerpt>();
  collect(text, root, reads);
  return [...reads.values()];
}

function collect(source: string, node: Syntax, reads: Map<string, Excerpt>): void {
  if (node.type === 'identifier') {
    const name = textOf(source, node);
    if (WHOLE.test(name) && !reads.has(name)) reads.set(name, { text: name, line: lineOf(source, node) });
  }
  for (const child of node.children) collect(source, child, reads);
}
