/** Reads the names of tables and functions in the tokens of a SQL statement. */

import type { Dialect } from './dialect.ts';
import type { Token } from './scan.ts';

/** A table a statement names, as written: `a.b."C d"` has three parts. */
export interface TableName {
  /** Without their quotes. */
  readonly parts: readonly string[];
  /** Which parts were quoted, and keep their case. */
  readonly quoted: readonly boolean[];
  /** UTF-16 offsets of the whole name in the statement's text: a snapshot clause is inserted after it. */
  readonly start: number;
  readonly end: number;
}

/** A name with what follows it. */
export interface NameAt extends TableName {
  /** The token after the name. */
  readonly next: string;
  readonly nextAt: number;
}

interface NameOptions {
  readonly fromQuoted: (text: string) => string;
  readonly dialect: Pick<Dialect, 'dashedNames'>;
}

/** The name that begins at a token; null if there is none. */
export function nameAt(tokens: readonly Token[], at: number, options: NameOptions): NameAt | null {
  const plain = plainName(tokens, at, options);
  if (plain === null || !options.dialect.dashedNames) return plain;
  const dashed = dashedName(tokens, at, options);
  return dashed !== null && dashed.end > plain.end ? dashed : plain;
}

function plainName(tokens: readonly Token[], at: number, { fromQuoted }: NameOptions): NameAt | null {
  const parts: string[] = [];
  const quoted: boolean[] = [];
  for (let i = at; ; i += 2) {
    const token = tokens[i];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'name')) return null;
    parts.push(token.kind === 'name' ? fromQuoted(token.text) : token.text);
    quoted.push(token.kind === 'name');
    if (tokens[i + 1]?.text !== '.') {
      const start = tokens[at]?.start ?? 0;
      return { parts, quoted, start, end: token.end, next: tokens[i + 1]?.text ?? '', nextAt: i + 1 };
    }
  }
}

/** A part of a name: in quotes, or with dashes, or beginning with a digit. */
const DASHED_PART = /`[^`]*`|[\p{L}_][\p{L}\p{N}_-]*|[\p{N}_][\p{L}\p{N}_-]*/uy;

/** `my-project-1.sales.2024` of BigQuery: everything up to the next blank, whatever its tokens are. */
function dashedName(tokens: readonly Token[], at: number, { fromQuoted }: NameOptions): NameAt | null {
  let glued = '';
  const start = tokens[at]?.start ?? 0;
  for (const token of tokens.slice(at)) {
    const belongs = /^(word|name|number)$/.test(token.kind) || token.text === '.' || token.text === '-';
    if (!belongs || token.start !== start + glued.length) break;
    glued += token.text;
  }
  const parts: string[] = [];
  const quoted: boolean[] = [];
  let length = 0;
  do {
    DASHED_PART.lastIndex = parts.length === 0 ? 0 : length + 1;
    const part = DASHED_PART.exec(glued)?.[0];
    if (part === undefined) return null;
    parts.push(part.startsWith('`') ? fromQuoted(part) : part);
    quoted.push(part.startsWith('`'));
    length = DASHED_PART.lastIndex;
  } while (glued[length] === '.');
  const end = start + length;
  const nextAt = tokens.findIndex((token, i) => i > at && token.start >= end);
  return { parts, quoted, start, end, next: tokens[nextAt]?.text ?? '', nextAt };
}

/**
 * The names that are called like a function, without duplicates: `f(`, `a.f(`. Includes keywords that only
 * look like one.
 */
export function calledNames(
  tokens: readonly Token[],
  { fromQuoted }: Pick<NameOptions, 'fromQuoted'>,
): readonly CalledName[] {
  const names = new Map<string, CalledName>();
  for (const [i, token] of tokens.entries()) {
    if (tokens[i + 1]?.text !== '(' || (token.kind !== 'word' && token.kind !== 'name')) continue;
    let from = i;
    while (tokens[from - 1]?.text === '.' && /^(word|name)$/.test(tokens[from - 2]?.kind ?? '')) from -= 2;
    const own = tokens.slice(from, i + 1).filter(({ text }) => text !== '.');
    const parts = own.map(({ kind, text }) => (kind === 'name' ? fromQuoted(text) : text));
    const quoted = own.map(({ kind }) => kind === 'name');
    names.set(JSON.stringify([parts, quoted]), { parts, quoted });
  }
  return [...names.values()];
}

/** A function as called in a statement. */
export type CalledName = Pick<TableName, 'parts' | 'quoted'>;
