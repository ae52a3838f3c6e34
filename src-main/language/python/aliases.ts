/**
 * Names that a cell binds to another name's object, or to a part of it: `b = a`, `v = a[::2]`, `row = d["k"]`. In a
 * single kernel a change through one of them shows through the other (checks/sharedObjects.ts).
 */
import { fieldOf, nameOf, partsOf, type Syntax, textOf } from './syntax.ts';

/**
 * `object`: the object itself. `memory`: an array that shares its memory, or a copy for another type. `part`: an
 * object that it holds.
 */
export type AliasKind = 'object' | 'memory' | 'part';

/** The kind of a value that is taken from another by two steps. */
export function strongest(one: AliasKind, other: AliasKind): AliasKind {
  if (one === 'part' || other === 'part') return 'part';
  return one === 'memory' ? one : other;
}

/** The kinds of aliases, by assigned name, then by the name that the value is taken from. */
export type Aliases = ReadonlyMap<string, ReadonlyMap<string, AliasKind>>;

export const NO_ALIASES: Aliases = new Map();

/** The aliases of a cell: of single names assigned by statements that run with the cell. */
export function readAliases({ text, root }: { readonly text: string; readonly root: Syntax }): Aliases {
  const aliases: Growing = new Map();
  collect(text, root, aliases);
  return aliases.size === 0 ? NO_ALIASES : aliases;
}

/** Nodes with statements that run with the cell: not the bodies of functions and classes. */
const ENTERED = /^(module|block|expression_statement|.*_clause|(if|for|while|try|with|match)_statement)$/;
/** The nodes among these whose statements run once and always. */
const PLAIN = /^(module|expression_statement)$/;

type Growing = Map<string, Map<string, AliasKind>>;

/** @param isAlways the node runs in every run of the cell, once */
function collect(text: string, node: Syntax, aliases: Growing, isAlways = true): void {
  if (node.type !== 'assignment') {
    const isPlain = isAlways && PLAIN.test(node.type);
    for (const child of node.children)
      if (child.type === 'assignment' || ENTERED.test(child.type)) collect(text, child, aliases, isPlain);
    return;
  }
  const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
  if (left?.type !== 'identifier' || right === undefined) return;
  const name = nameOf(text, left);
  const sources = sourcesOf(text, right);
  // `b = b.copy()` ends what `b` was before; under a condition both may be.
  if (isAlways && !sources.some(({ source }) => source === name)) aliases.delete(name);
  for (const { source, kind } of sources)
    if (source !== name) aliases.set(name, (aliases.get(name) ?? new Map()).set(source, kind));
}

interface Source {
  readonly source: string;
  readonly kind: AliasKind;
}

/** Attributes that give copies, or objects that only select. */
const SELECTORS: ReadonlySet<string> = new Set(['loc', 'iloc', 'at', 'iat', 'str', 'dt', 'shape', 'dtype']);
/** Attributes and methods of arrays whose result shares their memory. */
const MEMORY_ATTRIBUTES: ReadonlySet<string> = new Set(['T', 'mT', 'flat', 'real', 'imag', 'values']);
const MEMORY_METHODS: ReadonlySet<string> = new Set([
  ...['reshape', 'ravel', 'view', 'transpose', 'squeeze', 'swapaxes', 'diagonal', 'to_numpy'],
]);
const MEMORY_FUNCTIONS = /(^|\.)(asarray|asanyarray|atleast_[123]d|ascontiguousarray)$/;

function sourcesOf(text: string, node: Syntax): readonly Source[] {
  switch (node.type) {
    case 'identifier':
      return [{ source: nameOf(text, node), kind: 'object' }];
    case 'parenthesized_expression':
      return partsOf(node).flatMap((part) => sourcesOf(text, part));
    case 'conditional_expression': {
      const [then, , otherwise] = partsOf(node);
      return [then, otherwise].flatMap((part) => (part === undefined ? [] : sourcesOf(text, part)));
    }
    case 'attribute':
      return ofAttribute(text, node);
    case 'subscript':
      return ofSubscript(text, node);
    case 'call':
      return ofCall(text, node);
    default:
      return [];
  }
}

function below(text: string, node: Syntax | undefined, kind: AliasKind): readonly Source[] {
  const sources = node === undefined ? [] : sourcesOf(text, node);
  return sources.map((one) => ({ source: one.source, kind: strongest(one.kind, kind) }));
}

function ofAttribute(text: string, node: Syntax): readonly Source[] {
  const attribute = fieldOf(node, 'attribute');
  const name = attribute === undefined ? '' : nameOf(text, attribute);
  if (SELECTORS.has(name)) return [];
  return below(text, fieldOf(node, 'object'), MEMORY_ATTRIBUTES.has(name) ? 'memory' : 'part');
}

/** Masks, lists and computed indexes mostly give copies; they are left out. */
function ofSubscript(text: string, node: Syntax): readonly Source[] {
  const value = fieldOf(node, 'value');
  const indexes = partsOf(node)
    .filter((part) => part !== value)
    .flatMap((part) => (part.type === 'tuple' ? partsOf(part) : [part]));
  if (!indexes.every(({ type }) => /^(string|integer|slice|ellipsis|none|unary_operator)$/.test(type)))
    return [];
  return below(text, value, indexes.some(({ type }) => type === 'slice') ? 'memory' : 'part');
}

function ofCall(text: string, node: Syntax): readonly Source[] {
  const callee = fieldOf(node, 'function');
  if (callee === undefined) return [];
  if (MEMORY_FUNCTIONS.test(textOf(text, callee)))
    return below(text, partsOf(fieldOf(node, 'arguments') ?? node)[0], 'memory');
  const method = callee.type === 'attribute' ? fieldOf(callee, 'attribute') : undefined;
  if (method === undefined || !MEMORY_METHODS.has(nameOf(text, method))) return [];
  return below(text, fieldOf(callee, 'object'), 'memory');
}
