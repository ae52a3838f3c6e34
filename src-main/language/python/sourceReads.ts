/**
 * Finds names in a cell that read source text, line numbers or `__subclasses__`, which the cell's key does not cover.
 */

import { fieldOf, lineOf, nameOf, type Syntax, textOf } from './syntax.ts';

/** A part of the source, with its line counted from 1. */
export interface Excerpt {
  readonly text: string;
  readonly line: number;
}

/** Functions and attributes that give comments or line numbers, which are not part of the source hash. */
const NAMES =
  /\b(?:getsource(?:lines)?|getcomments|findsource|getblock|getframeinfo|linecache|co_(?:firstlineno|lines|positions|lnotab|linetable)|(?:f|tb)_lineno|__firstlineno__)\b/;

/**
 * Matches `__subclasses__`: a class lists the subclasses that its process knows, so those of other cells may be
 * missing.
 */
const SUBCLASSES = /\b__subclasses__\b/;

interface Source {
  readonly text: string;
  readonly root: Syntax;
}

/** The names through which a program reads its own text or that of other code, each where it is used first. */
export function readSourceReads(source: Source): readonly Excerpt[] {
  return usesOf(NAMES, source);
}

/** Uses of `__subclasses__`: as `Base.__subclasses__` where the cell itself calls it on a name. */
export function readSubclassReads({ text, root }: Source): readonly Excerpt[] {
  if (!SUBCLASSES.test(text)) return [];
  const uses = new Map<string, Excerpt>();
  collectSubclasses({ text, isInCode: false }, root, uses);
  return [...uses.values()];
}

const CODE = /^(function_definition|class_definition|lambda)$/;

/** @param within.isInCode inside a function or class, which other cells may use */
function collectSubclasses(
  within: { readonly text: string; readonly isInCode: boolean },
  node: Syntax,
  uses: Map<string, Excerpt>,
): void {
  const { text } = within;
  const attribute = node.type === 'attribute' ? fieldOf(node, 'attribute') : undefined;
  if (attribute !== undefined && SUBCLASSES.test(nameOf(text, attribute))) {
    const object = fieldOf(node, 'object');
    const isOfName = !within.isInCode && object?.type === 'identifier';
    const written = isOfName ? `${nameOf(text, object)}.__subclasses__` : '__subclasses__';
    if (!uses.has(written)) uses.set(written, { text: written, line: lineOf(text, node) });
  }
  const isInCode = within.isInCode || CODE.test(node.type);
  for (const child of node.children) collectSubclasses({ text, isInCode }, child, uses);
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
