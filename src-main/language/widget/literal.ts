/** Reads the Python literals in the declarations of a widget cell, without running code. */

import { readStringLiteral } from '../python/stringLiteral.ts';
import { fieldOf, partsOf, type Syntax, textOf } from '../python/syntax.ts';

/** A Python literal, read without running anything: its JSON value, and the JSON text that Python would write. */
export interface Literal {
  readonly value: unknown;
  /** The JSON text, which distinguishes `1` from `1.0`: one number in JavaScript and two types in Python. */
  readonly text: string;
  readonly type: 'int' | 'float' | 'bool' | 'text' | 'none' | 'list';
  /** The elements of a list; empty for other literals. */
  readonly items: readonly Literal[];
}

type LiteralRead =
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: 'refused'; readonly why: string };

const NAMED: Readonly<Record<string, Literal>> = {
  true: { value: true, text: 'true', type: 'bool', items: [] },
  false: { value: false, text: 'false', type: 'bool', items: [] },
  none: { value: null, text: 'null', type: 'none', items: [] },
};

function read(literal: Literal): LiteralRead {
  return { kind: 'literal', literal };
}

function refused(why: string): LiteralRead {
  return { kind: 'refused', why };
}

/** The number as Python's JSON writes it: a float keeps its decimal point. */
export function numberText(value: number, isWhole: boolean): string {
  const text = JSON.stringify(value);
  return isWhole || /[.e]/i.test(text) ? text : `${text}.0`;
}

/** Reads an expression of numbers, strings, True, False, None, and lists or tuples of them. */
export function readLiteral(source: string, node: Syntax): LiteralRead {
  const text = textOf(source, node);
  if (Object.hasOwn(NAMED, node.type)) return read(NAMED[node.type] as Literal); // own key of the table
  switch (node.type) {
    case 'integer':
    case 'float':
      return readNumber(text);
    case 'unary_operator':
      return readSigned(source, node);
    case 'string':
      return readText([node], source);
    case 'concatenated_string':
      return readText(partsOf(node), source);
    case 'list':
    case 'tuple':
      return readList(source, partsOf(node));
    case 'parenthesized_expression': {
      const inner = partsOf(node)[0];
      return inner === undefined ? refused('is empty') : readLiteral(source, inner);
    }
    default:
      return refused(
        `\`${shortened(text)}\` is not a literal value: a control takes numbers, text, True, False, None and lists of them`,
      );
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

function readNumber(source: string): LiteralRead {
  const text = source.replaceAll('_', '');
  if (/j$/i.test(text)) return refused(`\`${source}\` is a complex number`);
  const isWhole = /^(?:\d+|0[xob][\da-f]+)$/i.test(text);
  const value = Number(text);
  if (!Number.isFinite(value)) return refused(`\`${shortened(source)}\` is too large for a number`);
  if (!isWhole) return read({ value, text: numberText(value, false), type: 'float', items: [] });
  if (!Number.isSafeInteger(value)) {
    return refused(
      `\`${shortened(source)}\` is outside ±9,007,199,254,740,991, the range a control can store exactly`,
    );
  }
  return read({ value, text: String(value), type: 'int', items: [] });
}

function readSigned(source: string, node: Syntax): LiteralRead {
  const argument = fieldOf(node, 'argument');
  const sign = source.slice(node.start, node.start + 1);
  const inner = argument === undefined ? null : readLiteral(source, argument);
  if (inner?.kind !== 'literal') return inner ?? refused('is empty');
  const { literal } = inner;
  const isNumber = literal.type === 'int' || literal.type === 'float';
  if (!isNumber || (sign !== '-' && sign !== '+')) {
    return refused(`\`${shortened(textOf(source, node))}\` is not a number`);
  }
  const signed = Number(literal.value) * (sign === '-' ? -1 : 1);
  const value = signed === 0 ? 0 : signed;
  return read({ value, text: numberText(value, literal.type === 'int'), type: literal.type, items: [] });
}

function readText(parts: readonly Syntax[], source: string): LiteralRead {
  let value = '';
  for (const part of parts) {
    const text = textOf(source, part);
    // An f-string is an expression, even without a placeholder.
    const string = /^\w*[ft]\w*["']/i.test(text) ? null : readStringLiteral(text);
    if (string === null || string.kind !== 'text') {
      return refused(`\`${shortened(text)}\` is not a plain text`);
    }
    for (const unit of string.units) value += String.fromCodePoint(unit);
  }
  if (/\p{Cs}/u.test(value)) return refused('half a character (a lone surrogate) is not valid text');
  return read({ value, text: JSON.stringify(value), type: 'text', items: [] });
}

function readList(source: string, parts: readonly Syntax[]): LiteralRead {
  const items: Literal[] = [];
  for (const part of parts) {
    const item = readLiteral(source, part);
    if (item.kind === 'refused') return item;
    items.push(item.literal);
  }
  const text = `[${items.map((item) => item.text).join(', ')}]`;
  return read({ value: items.map(({ value }) => value), text, type: 'list', items });
}
