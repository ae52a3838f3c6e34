/** Finds the Python name, or the access to a part of a value, at a position in a cell's text, for the editor. */

import type { Position, Span } from './virtualDocument.ts';

const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

const PART = /[\p{L}\p{N}_]/u;

export function isPythonName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text) && !KEYWORDS.has(text);
}

/** The name at a position, or directly before it; null if there is none. */
export function nameAt(source: string, { line, character }: Position): { name: string; span: Span } | null {
  const text = lineOf(source, line);
  let [from, to] = [Math.min(character, text.length), Math.min(character, text.length)];
  while (from > 0 && PART.test(text[from - 1] ?? '')) from -= 1;
  while (to < text.length && PART.test(text[to] ?? '')) to += 1;
  const name = text.slice(from, to);
  if (!isPythonName(name)) return null;
  return { name, span: { start: { line, character: from }, end: { line, character: to } } };
}

export function lineOf(source: string, line: number): string {
  return source.split(/\r\n|\r|\n/)[line] ?? '';
}

/** The text directly before a position that accesses a part of a value. */
export type Access =
  /** An attribute: `name.par`. */
  | { readonly kind: 'attribute'; readonly name: string; readonly typed: string; readonly span: Span }
  /** A key: `name["par`, `name[['a', "par`, `name.loc[:, "par`. */
  | {
      readonly kind: 'key';
      readonly name: string;
      readonly typed: string;
      readonly span: Span;
      /** The quotation mark that was typed; null: none. */
      readonly quote: string | null;
    };

const ATTRIBUTE = /(?<![\p{L}\p{N}_.)\]"'])([\p{L}_][\p{L}\p{N}_]*)\.([\p{L}\p{N}_]*)$/u;
const KEY =
  /(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_]*)(?:\.loc)?\[(?:[^\]"'\n]*,)?\s*\[?\s*(?:(?:"[^"\n]*"|'[^'\n]*')\s*,\s*)*(["']?)([^"'\]\n]*)$/u;

/** The part of a name's value that is being typed at a position; null: none. */
export function accessAt(source: string, { line, character }: Position): Access | null {
  const before = lineOf(source, line).slice(0, character);
  const spanOf = (typed: string): Span => ({
    start: { line, character: before.length - typed.length },
    end: { line, character: before.length },
  });
  const attribute = ATTRIBUTE.exec(before);
  if (attribute !== null) {
    const [, name = '', typed = ''] = attribute;
    return { kind: 'attribute', name, typed, span: spanOf(typed) };
  }
  const key = KEY.exec(before);
  if (key === null || isInComment(before)) return null;
  const [, name = '', quote = '', typed = ''] = key;
  if (quote === '' && typed.trim() !== '') return null;
  return { kind: 'key', name, typed, span: spanOf(typed), quote: quote === '' ? null : quote };
}

function isInComment(before: string): boolean {
  return /^[^"']*#/.test(before);
}
