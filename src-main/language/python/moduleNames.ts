/** Finds all modules that a cell may import, because those in the notebook's folder are part of the cell's key. */

import { readStringLiteral } from './stringLiteral.ts';
import { fieldOf, partsOf, type Syntax, textOf } from './syntax.ts';

/**
 * The dotted names of all modules that a program may import anywhere: `import a.b` names `a.b`, `from a import b` names
 * `a.b` too (b may be a module), `from . import c` names `.c`. Also `import_module("a")` and `__import__("a")` with a
 * literal. Sorted.
 */
export function readModuleNames({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly string[] {
  if (!text.includes('import')) return [];
  const modules = new Set<string>();
  collect(text, root, modules);
  return [...modules].sort();
}

function collect(source: string, node: Syntax, modules: Set<string>): void {
  if (node.type === 'import_statement') {
    for (const part of partsOf(node)) modules.add(dotted(source, bare(part)));
    return;
  }
  if (node.type === 'import_from_statement') {
    addFrom(source, node, modules);
    return;
  }
  if (node.type === 'call') addCall(source, node, modules);
  for (const child of node.children) if (child.children.length > 0) collect(source, child, modules);
}

/** The part `name` of `name as alias`. */
function bare(part: Syntax): Syntax {
  return part.type === 'aliased_import' ? (fieldOf(part, 'name') ?? part) : part;
}

/** A dotted name without white space, as Python reads it. */
function dotted(source: string, node: Syntax): string {
  return textOf(source, node).replace(/\s+/g, '').normalize('NFKC');
}

function addFrom(source: string, node: Syntax, modules: Set<string>): void {
  const [module, ...names] = partsOf(node);
  if (module === undefined) return;
  const from = dotted(source, module);
  const isStar = names.some(({ type }) => type === 'wildcard_import');
  if (isStar || names.length === 0) modules.add(from);
  else
    for (const name of names) {
      const item = dotted(source, bare(name));
      modules.add(from.endsWith('.') ? `${from}${item}` : `${from}.${item}`);
    }
}

function addCall(source: string, node: Syntax, modules: Set<string>): void {
  const callee = fieldOf(node, 'function');
  const argumentList = fieldOf(node, 'arguments');
  if (callee === undefined || argumentList === undefined) return;
  if (!/(^|\.)(import_module|__import__)$/.test(textOf(source, callee))) return;
  const [first] = partsOf(argumentList);
  const literal = first?.type === 'string' ? readStringLiteral(textOf(source, first)) : null;
  if (literal?.kind !== 'text') return;
  const name = String.fromCodePoint(...literal.units);
  if (/^\.*[\p{L}_][\p{L}\p{N}_.]*$/u.test(name)) modules.add(name.normalize('NFKC'));
}
