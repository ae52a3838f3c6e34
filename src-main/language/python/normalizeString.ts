/**
 * Gives equal Python strings the same spelling, for normalize.ts: the spelling of a string does not change a cell's
 * source hash.
 */

import { readStringLiteral, type StringLiteral, writeStringLiteral } from './stringLiteral.ts';
import { type Syntax, textOf } from './syntax.ts';

type WriteExpression = (node: Syntax) => string;

/** One spelling for a string literal, or for adjacent literals, which Python joins into one value. */
export function normalizeStrings(source: string, parts: readonly Syntax[], write: WriteExpression): string {
  const literals = parts.map((part) =>
    isFormatted(source, part) ? null : readStringLiteral(textOf(source, part)),
  );
  const joined = joinLiterals(literals);
  if (joined !== null) return writeStringLiteral(joined);
  return parts
    .map((part, at) => {
      const literal = literals[at];
      if (literal !== null && literal !== undefined) return writeStringLiteral(literal);
      return isFormatted(source, part) ? formatted(source, part, write) : lowerPrefix(textOf(source, part));
    })
    .join(' ');
}

function joinLiterals(literals: readonly (StringLiteral | null)[]): StringLiteral | null {
  const units: number[] = [];
  const [first] = literals;
  if (first === null || first === undefined) return null;
  for (const literal of literals) {
    if (literal === null || literal.kind !== first.kind) return null;
    for (const unit of literal.units) units.push(unit);
  }
  return { kind: first.kind, units, marked: first.marked };
}

function isFormatted(source: string, part: Syntax): boolean {
  return /^[^'"]*[ft]/i.test(source.slice(part.start, part.start + 4).split(/['"]/)[0] ?? '');
}

/** A literal with its prefix in lower case: a `U` has no effect, but Python's syntax tree records a `u`. */
function lowerPrefix(literal: string): string {
  return literal.replace(/^[A-Za-z]+/, (prefix) => (prefix === 'U' ? '' : prefix.toLowerCase()));
}

/**
 * A literal with expressions. Its quotes can be normalized only if its content has no quotes, backslash, line end or
 * `#`. Any other literal is copied as written, which distinguishes more than needed but is never wrong.
 */
function formatted(source: string, node: Syntax, write: WriteExpression): string {
  const text = textOf(source, node);
  const opening = node.children.find(({ type }) => type === 'string_start');
  const closing = node.children.findLast(({ type }) => type === 'string_end');
  if (opening === undefined || closing === undefined) return lowerPrefix(text);
  // The grammar puts the end of some raw literals into the closing quote; those are copied as written too.
  if (textOf(source, opening).replace(/^[a-z]+/i, '') !== textOf(source, closing)) return lowerPrefix(text);
  if (/['"\\\n#]/.test(source.slice(opening.end, closing.start))) return lowerPrefix(text);
  let body = '';
  let at = opening.end;
  for (const part of node.children) {
    if (part.type !== 'interpolation') continue;
    body += source.slice(at, part.start) + interpolation(source, part, write);
    at = part.end;
  }
  const prefix = /t/i.test(textOf(source, opening)) ? 't' : 'f';
  return `${prefix}'${body}${source.slice(at, closing.start)}'`;
}

/**
 * The normal form of an inserted expression. The text of `{x = }` is part of its value, so its spacing counts;
 * elsewhere spacing does not.
 */
function interpolation(source: string, node: Syntax, write: WriteExpression): string {
  const expression = node.children.find(({ field }) => field === 'expression');
  if (expression === undefined || node.children.some(({ type }) => type === '=')) return textOf(source, node);
  const rest = node.children.find(({ field }) => field === 'type_conversion' || field === 'format_specifier');
  const text = write(expression);
  const ending = rest === undefined ? '}' : source.slice(rest.start, node.end);
  return `{${text.startsWith('{') ? ' ' : ''}${text}${ending}`;
}
