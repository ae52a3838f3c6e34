/** Finds the environment variables that a cell reads by a literal name, because their values are part of its key. */

import { readStringLiteral } from './stringLiteral.ts';
import { fieldOf, nameOf, partsOf, type Syntax, textOf } from './syntax.ts';

/** What an expression refers to, if it leads to the environment. */
type Meaning = 'os' | 'environ' | 'getenv';

const READING_METHODS: ReadonlySet<string> = new Set(['get', 'setdefault', 'pop']);

/**
 * The environment variables that a program reads by a literal name: `os.environ["K"]`, its `.get`, `.setdefault` and
 * `.pop`, and `os.getenv` (docs/spec/provenance-and-cache.md, 1), also through imports under another name and plain
 * assignments. Sorted. `os`, `environ` and `getenv` count even if the cell does not import them, because an earlier
 * cell may have.
 */
export function readEnvKeys({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): readonly string[] {
  if (!text.includes('environ') && !text.includes('getenv') && !/\bos\b/.test(text)) return [];
  const names = new Map<string, Meaning>([
    ['os', 'os'],
    ['environ', 'environ'],
    ['getenv', 'getenv'],
  ]);
  const keys = new Set<string>();
  collectAliases(text, root, names);
  collectKeys(text, root, { names, keys });
  return [...keys].sort();
}

function collectAliases(source: string, node: Syntax, names: Map<string, Meaning>): void {
  if (node.type === 'import_statement') {
    for (const part of partsOf(node)) {
      const name = part.type === 'aliased_import' ? fieldOf(part, 'name') : undefined;
      const alias = fieldOf(part, 'alias');
      if (name !== undefined && alias !== undefined && textOf(source, name) === 'os') {
        names.set(nameOf(source, alias), 'os');
      }
    }
  } else if (node.type === 'import_from_statement') {
    const module = fieldOf(node, 'module_name');
    if (module === undefined || textOf(source, module) !== 'os') return;
    for (const part of partsOf(node).filter(({ type }) => type === 'aliased_import')) {
      const name = fieldOf(part, 'name');
      const alias = fieldOf(part, 'alias');
      const meaning = name === undefined ? null : memberOfOs(textOf(source, name));
      if (meaning !== null && alias !== undefined) names.set(nameOf(source, alias), meaning);
    }
  } else if (node.type === 'assignment' || node.type === 'named_expression') {
    const target = fieldOf(node, 'left') ?? fieldOf(node, 'name');
    const value = fieldOf(node, 'right') ?? fieldOf(node, 'value');
    const meaning = value === undefined ? null : meaningOf(source, value, names);
    if (target?.type === 'identifier' && meaning !== null) names.set(nameOf(source, target), meaning);
  }
  for (const child of node.children) if (child.children.length > 0) collectAliases(source, child, names);
}

function memberOfOs(name: string): Meaning | null {
  return name === 'environ' || name === 'getenv' ? name : null;
}

function meaningOf(source: string, node: Syntax, names: ReadonlyMap<string, Meaning>): Meaning | null {
  if (node.type === 'identifier') return names.get(nameOf(source, node)) ?? null;
  if (node.type === 'parenthesized_expression') {
    const [inner] = partsOf(node);
    return inner === undefined ? null : meaningOf(source, inner, names);
  }
  if (node.type !== 'attribute') return null;
  const object = fieldOf(node, 'object');
  const member = fieldOf(node, 'attribute');
  const base = object === undefined ? null : meaningOf(source, object, names);
  const name = member === undefined ? '' : textOf(source, member);
  if (base === 'os') return memberOfOs(name);
  // A method that reads one variable is equivalent to os.getenv.
  return base === 'environ' && READING_METHODS.has(name) ? 'getenv' : null;
}

interface Collected {
  readonly names: ReadonlyMap<string, Meaning>;
  readonly keys: Set<string>;
}

function collectKeys(source: string, node: Syntax, collected: Collected): void {
  if (node.type === 'assignment' || node.type === 'delete_statement') {
    // Setting or deleting a variable does not read it, but its index or value may read others.
    for (const child of node.children) {
      const target = child.field === 'left' || node.type === 'delete_statement';
      for (const part of target ? readParts(child) : [child]) collectKeys(source, part, collected);
    }
    return;
  }
  if (node.type === 'subscript') {
    const value = fieldOf(node, 'value');
    if (value !== undefined && meaningOf(source, value, collected.names) === 'environ') {
      addKey(source, fieldOf(node, 'subscript'), collected);
    }
  } else if (node.type === 'call') {
    const callee = fieldOf(node, 'function');
    const argumentList = fieldOf(node, 'arguments');
    if (
      callee !== undefined &&
      argumentList !== undefined &&
      meaningOf(source, callee, collected.names) === 'getenv'
    ) {
      const [first] = partsOf(argumentList);
      addKey(
        source,
        first?.type === 'keyword_argument' ? keyArgument(source, argumentList) : first,
        collected,
      );
    }
  }
  for (const child of node.children) if (child.children.length > 0) collectKeys(source, child, collected);
}

/** The parts of a target that are read: a subscript itself is written. */
function readParts(node: Syntax): readonly Syntax[] {
  return node.type === 'subscript' ? node.children : node.named ? node.children.flatMap(readParts) : [];
}

function keyArgument(source: string, argumentList: Syntax): Syntax | undefined {
  const argument = partsOf(argumentList).find((part) => {
    const name = fieldOf(part, 'name');
    return name !== undefined && textOf(source, name) === 'key';
  });
  return argument === undefined ? undefined : fieldOf(argument, 'value');
}

function addKey(source: string, node: Syntax | undefined, collected: Collected): void {
  if (node?.type === 'parenthesized_expression') {
    addKey(source, partsOf(node)[0], collected);
    return;
  }
  if (node?.type !== 'string' && node?.type !== 'concatenated_string') return;
  const parts = node.type === 'string' ? [node] : partsOf(node);
  let key = '';
  for (const part of parts) {
    if (part.children.some(({ type }) => type === 'interpolation')) return;
    const literal = readStringLiteral(textOf(source, part).replace(/^[fF](?=['"])/, ''));
    if (literal?.kind !== 'text') return;
    key += String.fromCodePoint(...literal.units);
  }
  collected.keys.add(key);
}
