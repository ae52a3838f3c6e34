import { readStringLiteral } from './stringLiteral.ts';
import { fieldOf, partsOf, type Syntax, textOf } from './syntax.ts';

/**
 * Every module a program may import, wherever in it, by its dotted name: `import a.b` names `a.b`, `from a import b`
 * names `a.b` too (b may be a module), `from . import c` names `.c`. Also `import_module("a")` and `__import__("a")`
 * with a literal. Sorted.
 */
export function readModuleNames({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly string[] {
  if (!text.includes('import')) return [];
  const found = new Set<string>();
  collect(text, root, found);
  return [...found].sort();
}

function collect(source: string, node: Syntax, found: Set<string>): void {
  if (node.type === 'import_statement') {
    for (const part of partsOf(node)) found.add(dotted(source, bare(part)));
    return;
  }
  if (node.type === 'import_from_statement') {
    addFrom(source, node, found);
    return;
  }
  if (node.type === 'call') addCall(source, node, found);
  for (const child of node.children) if (child.children.length > 0) collect(source, child, found);
}

/** `name` of `name as alias`. */
function bare(part: Syntax): Syntax {
  return part.type === 'aliased_import' ? (fieldOf(part, 'name') ?? part) : part;
}

/** A dotted name as Python reads it, white space between its parts left out. */
function dotted(source: string, node: Syntax): string {
  return textOf(source, node).replace(/\s+/g, '').normalize('NFKC');
}

function addFrom(source: string, node: Syntax, found: Set<string>): void {
  const [module, ...names] = partsOf(node);
  if (module === undefined) return;
  const from = dotted(source, module);
  const isStar = names.some(({ type }) => type === 'wildcard_import');
  if (isStar || names.length === 0) found.add(from);
  else
    for (const name of names) {
      const item = dotted(source, bare(name));
      found.add(from.endsWith('.') ? `${from}${item}` : `${from}.${item}`);
    }
}

function addCall(source: string, node: Syntax, found: Set<string>): void {
  const callee = fieldOf(node, 'function');
  const given = fieldOf(node, 'arguments');
  if (callee === undefined || given === undefined) return;
  if (!/(^|\.)(import_module|__import__)$/.test(textOf(source, callee))) return;
  const [first] = partsOf(given);
  const literal = first?.type === 'string' ? readStringLiteral(textOf(source, first)) : null;
  if (literal?.kind !== 'text') return;
  const name = String.fromCodePoint(...literal.units);
  if (/^\.*[\p{L}_][\p{L}\p{N}_.]*$/u.test(name)) found.add(name.normalize('NFKC'));
}
