/**
 * Finds the positions of everything in a TOML text: sections, entries and values as character offsets. It
 * only measures; smol-toml has accepted the text before, so this reader may assume it is valid. Edits splice
 * into the original text with these offsets, so that unedited parts keep every byte.
 */

import { parse } from 'smol-toml';

interface Span {
  readonly start: number;
  readonly end: number;
}

interface ScalarSpan extends Span {
  readonly kind: 'scalar';
}

export interface ArraySpan extends Span {
  readonly kind: 'array';
  readonly items: readonly ValueSpan[];
  /** Where the comma after the last item is; null without one. */
  readonly lastComma: number | null;
}

export interface InlineTableSpan extends Span {
  readonly kind: 'inline';
  readonly pairs: readonly PairSpan[];
  /** Where the comma after the last pair is; null without one. */
  readonly lastComma: number | null;
}

export type ValueSpan = ScalarSpan | ArraySpan | InlineTableSpan;

/** `key = value`, on a line of its own or inside an inline table; `start` is the key's, `end` the value's. */
export interface PairSpan extends Span {
  readonly path: readonly string[];
  readonly rawKeys: readonly string[];
  readonly value: ValueSpan;
}

export interface EntrySpan extends PairSpan {
  readonly lineStart: number;
  /** After the line break of the entry's last line. */
  readonly lineEnd: number;
}

/**
 * A header and what is below it up to the next one. Comment lines directly above a header, with no blank line
 * between, belong to it. `bodyEnd` leaves out trailing blank lines and free-standing comments.
 */
export interface SectionSpan extends Span {
  readonly header: { readonly path: readonly string[]; readonly isArray: boolean } | null;
  readonly bodyEnd: number;
  readonly entries: readonly EntrySpan[];
}

interface OpenSection {
  readonly header: SectionSpan['header'];
  readonly start: number;
  bodyEnd: number;
  readonly entries: EntrySpan[];
}

/** Comment lines with no blank line between; `touchesBody` when none precedes them either. */
interface CommentRun extends Span {
  readonly touchesBody: boolean;
}

/** Splits valid TOML into its sections; the first is the root (no header, may be empty). */
export function scanToml(text: string): readonly SectionSpan[] {
  const sections: SectionSpan[] = [];
  let open: OpenSection = { header: null, start: 0, bodyEnd: 0, entries: [] };
  let comments: CommentRun | undefined;
  let afterBody = false;
  let at = 0;
  while (at < text.length) {
    const lineStart = at;
    const first = skipBlanks(text, at);
    const character = text[first];
    if (character === '#') {
      const end = lineEndFrom(text, first);
      comments = {
        start: comments?.start ?? lineStart,
        end,
        touchesBody: comments?.touchesBody ?? afterBody,
      };
      at = end;
    } else if (character === undefined || character === '\n' || character === '\r') {
      if (comments?.touchesBody) open.bodyEnd = comments.end;
      comments = undefined;
      afterBody = false;
      at = lineEndFrom(text, first);
    } else if (character === '[') {
      const start = comments?.start ?? lineStart;
      sections.push({ ...open, end: start });
      const isArray = text[first + 1] === '[';
      const keys = readKeys(text, first + (isArray ? 2 : 1));
      at = lineEndFrom(text, keys.end);
      open = { header: { path: keys.path, isArray }, start, bodyEnd: at, entries: [] };
      comments = undefined;
      afterBody = true;
    } else {
      const pair = readPair(text, first);
      at = lineEndFrom(text, pair.end);
      open.entries.push({ ...pair, lineStart, lineEnd: at });
      open.bodyEnd = at;
      comments = undefined;
      afterBody = true;
    }
  }
  if (comments?.touchesBody) open.bodyEnd = comments.end;
  sections.push({ ...open, end: text.length });
  return sections;
}

/** The 1-based line of an offset. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function readPair(text: string, start: number): PairSpan {
  const keys = readKeys(text, start);
  const value = readValue(text, skipBlanks(text, skipBlanks(text, keys.end) + 1));
  return { start, end: value.end, path: keys.path, rawKeys: keys.raw, value };
}

interface Keys {
  readonly path: readonly string[];
  readonly raw: readonly string[];
  readonly end: number;
}

function readKeys(text: string, from: number): Keys {
  const path: string[] = [];
  const raw: string[] = [];
  let at = skipBlanks(text, from);
  for (;;) {
    const end = text[at] === '"' || text[at] === "'" ? stringEnd(text, at) : bareKeyEnd(text, at);
    const key = text.slice(at, end);
    raw.push(key);
    path.push(decodeKey(key));
    const next = skipBlanks(text, end);
    if (text[next] !== '.') return { path, raw, end };
    at = skipBlanks(text, next + 1);
  }
}

function decodeKey(raw: string): string {
  if (raw[0] === "'") return raw.slice(1, -1);
  if (raw[0] !== '"') return raw;
  return Object.keys(parse(`${raw} = 0`))[0] ?? '';
}

function readValue(text: string, start: number): ValueSpan {
  const character = text[start];
  if (character === '"' || character === "'") return { kind: 'scalar', start, end: stringEnd(text, start) };
  if (character === '[') return readArray(text, start);
  if (character === '{') return readInlineTable(text, start);
  let end = start;
  while (end < text.length && !',]}#\n\r'.includes(text[end] ?? '')) end += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return { kind: 'scalar', start, end };
}

function readArray(text: string, start: number): ArraySpan {
  const items: ValueSpan[] = [];
  let at = skipInside(text, start + 1);
  while (text[at] !== ']') {
    const item = readValue(text, at);
    items.push(item);
    at = skipInside(text, item.end);
  }
  return { kind: 'array', start, end: at + 1, items, lastComma: commaAfter(text, items.at(-1)) };
}

function readInlineTable(text: string, start: number): InlineTableSpan {
  const pairs: PairSpan[] = [];
  let at = skipInside(text, start + 1);
  while (text[at] !== '}') {
    const pair = readPair(text, at);
    pairs.push(pair);
    at = skipInside(text, pair.end);
  }
  return { kind: 'inline', start, end: at + 1, pairs, lastComma: commaAfter(text, pairs.at(-1)) };
}

/** The comma that follows an item, after white space and comments; null if there is none. */
function commaAfter(text: string, item: Span | undefined): number | null {
  let at = item?.end ?? text.length;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === ',') return at;
    if (character === '#') at = lineEndFrom(text, at);
    else if (' \t\r\n'.includes(character)) at += 1;
    else return null;
  }
  return null;
}

/** Skips white space, line breaks, comments and commas: everything allowed between two items. */
function skipInside(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '#') at = lineEndFrom(text, at);
    else if (' \t\r\n,'.includes(character)) at += 1;
    else break;
  }
  return at;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? '"';
  const escapes = quote === '"';
  const triple = quote.repeat(3);
  const isLong = text.startsWith(triple, start);
  let at = start + (isLong ? 3 : 1);
  while (at < text.length) {
    if (escapes && text[at] === '\\') at += 2;
    else if (!isLong && text[at] === quote) return at + 1;
    else if (isLong && text.startsWith(triple, at)) {
      // Up to two quotes may directly precede the closing three.
      at += 3;
      while (text[at] === quote) at += 1;
      return at;
    } else at += 1;
  }
  return at;
}

function bareKeyEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !' \t.=]\r\n'.includes(text[at] ?? '')) at += 1;
  return at;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

function lineEndFrom(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
