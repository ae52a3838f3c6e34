/**
 * The names that a cell's values may hold rather than only use: `ops = {"a": f}` holds `f`, `model = Model()` holds the
 * class `Model`. Their code reads its own names when a later cell calls it (checks/keptValues.ts).
 */
import { fieldOf, nameOf, partsOf, type Syntax, textOf } from './syntax.ts';

export interface HeldNames {
  /** Names that are part of the value as they are. */
  readonly parts: ReadonlySet<string>;
  /** Names that are called to make the value: it holds them if they are classes. */
  readonly calls: ReadonlySet<string>;
}

interface Growing {
  readonly parts: Set<string>;
  readonly calls: Set<string>;
}

/**
 * The names that values hold, by the assigned name: only for names assigned by statements that run with the cell, from
 * expressions that hold a name.
 */
export function readHeldNames({
  text,
  root,
}: {
  readonly text: string;
  readonly root: Syntax;
}): ReadonlyMap<string, HeldNames> {
  const values = new Map<string, Growing>();
  collect(text, root, values);
  return values;
}

/** Nodes with statements or expressions that run with the cell: not the bodies of functions and classes. */
const ENTERED = /^(module|block|expression_statement|.*_clause|(if|for|while|try|with|match)_statement)$/;

function collect(text: string, node: Syntax, values: Map<string, Growing>): void {
  if (node.type === 'assignment') {
    const [left, right] = [fieldOf(node, 'left'), fieldOf(node, 'right')];
    if (left === undefined || right === undefined) return;
    if (right.type === 'assignment') collect(text, right, values);
    const last = lastRight(right);
    const names: Growing = { parts: new Set(), calls: new Set() };
    addHeld(text, last, names);
    if (names.parts.size + names.calls.size > 0)
      for (const target of targetsOf(text, left)) add(values, target, names);
    return;
  }
  for (const child of node.children) {
    if (child.type === 'assignment' || ENTERED.test(child.type)) collect(text, child, values);
  }
}

function lastRight(node: Syntax): Syntax {
  let at = node;
  while (at.type === 'assignment') {
    const right = fieldOf(at, 'right');
    if (right === undefined) return at;
    at = right;
  }
  return at;
}

function targetsOf(text: string, target: Syntax): readonly string[] {
  if (target.type === 'identifier') return [nameOf(text, target)];
  return TUPLES.has(target.type) ? partsOf(target).flatMap((part) => targetsOf(text, part)) : [];
}

const TUPLES: ReadonlySet<string> = new Set(['pattern_list', 'tuple_pattern', 'list_pattern']);

function add(values: Map<string, Growing>, name: string, { parts, calls }: Growing): void {
  const earlier = values.get(name);
  if (earlier === undefined) {
    values.set(name, { parts: new Set(parts), calls: new Set(calls) });
    return;
  }
  for (const part of parts) earlier.parts.add(part);
  for (const call of calls) earlier.calls.add(call);
}

/** Expressions whose value has the values of their parts. */
const HOLDERS: ReadonlySet<string> = new Set([
  ...['list', 'tuple', 'set', 'dictionary', 'expression_list', 'parenthesized_expression'],
  ...['conditional_expression', 'list_splat', 'dictionary_splat'],
]);
const COMPREHENSION = /^(list|set|dictionary)_comprehension$/;

function addHeld(text: string, node: Syntax, names: Growing): void {
  if (node.type === 'identifier') names.parts.add(nameOf(text, node));
  else if (node.type === 'pair') addPart(text, fieldOf(node, 'value'), names);
  else if (node.type === 'keyword_argument') addPart(text, fieldOf(node, 'value'), names);
  else if (COMPREHENSION.test(node.type)) addPart(text, fieldOf(node, 'body'), names);
  // `instance.method` holds the instance.
  else if (node.type === 'attribute') addPart(text, fieldOf(node, 'object'), names);
  else if (node.type === 'call') addCall(text, node, names);
  else if (HOLDERS.has(node.type)) for (const part of partsOf(node)) addHeld(text, part, names);
}

function addPart(text: string, part: Syntax | undefined, names: Growing): void {
  if (part !== undefined) addHeld(text, part, names);
}

function addCall(text: string, node: Syntax, names: Growing): void {
  const callee = fieldOf(node, 'function');
  if (callee === undefined) return;
  if (callee.type === 'identifier') names.calls.add(nameOf(text, callee));
  if (/(^|\.)partial$/.test(textOf(text, callee)))
    for (const argument of partsOf(fieldOf(node, 'arguments') ?? node)) addHeld(text, argument, names);
}
