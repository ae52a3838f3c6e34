/**
 * Determines what can be completed at a place in SQL: the typed text, its qualifier, and the tables that the statement
 * reads. Pure.
 */

import { sqlBody } from '../../../src-shared/sql/body.ts';
import { commonTables } from '../../../src-shared/sql/commonTables.ts';
import type { Dialect } from '../../../src-shared/sql/dialect.ts';
import { scanText, type Token, upperCaseWord } from '../../../src-shared/sql/scan.ts';
import { sourcesOf } from '../../../src-shared/sql/tables.ts';

/** A table that the statement reads, under the name used there. */
export interface SqlSource {
  readonly parts: readonly string[];
  /** The alias in the statement; null if it has none. */
  readonly alias: string | null;
}

/** What can be completed at the caret of a SQL cell. */
export interface SqlPlace {
  /** Whether a table's name is expected here, or anything that an expression can contain. */
  readonly wants: 'table' | 'any';
  /** The part of the word before the caret. */
  readonly typed: string;
  /** The qualifier before the word, split at dots: `a.b.` has two parts. */
  readonly qualifier: readonly string[];
  /** The tables that the statement reads, including those after the caret. */
  readonly sources: readonly SqlSource[];
  /** Names that the statement defines by WITH. */
  readonly commons: readonly string[];
  /** Whether keywords are offered in lower case. */
  readonly small: boolean;
}

const SOURCE_ENDS = new Set(
  `WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH WINDOW QUALIFY UNION INTERSECT EXCEPT MINUS RETURNING SELECT SET ON
  USING VALUES WHEN`.split(/\s+/),
);
const BEFORE_TABLE = new Set(['FROM', 'JOIN', 'INTO', 'TABLE', 'DESCRIBE', 'DESC', 'SUMMARIZE']);
const FROM_FUNCTIONS = new Set(['EXTRACT', 'SUBSTRING', 'TRIM', 'OVERLAY', 'POSITION']);

/**
 * What can be completed at an offset (UTF-16) of a SQL cell's source.
 * @returns null in comments, strings, quoted names, placeholders, numbers and the lines before the statement
 */
export function sqlPlaceAt(source: string, offset: number, dialect: Dialect): SqlPlace | null {
  const body = sqlBody(source);
  const caret = offset - body.offset;
  if (caret < 0) return null;
  const { tokens: all, unclosed } = scanText(body.text, dialect);
  if (unclosed !== null && unclosed.position < caret) return null;
  if (all.some((token) => isWithin(token, caret))) return null;
  const tokens = statementAt(
    all.filter(({ kind }) => kind !== 'comment'),
    caret,
  );
  const word = tokens.find((token) => token.kind === 'word' && token.start < caret && caret <= token.end);
  if (word !== undefined && all.some(({ kind, end }) => kind === 'number' && end === word.start)) return null;
  const before = tokens.filter(({ start }) => start < (word?.start ?? caret));
  // The word at the caret is unfinished, so it names no table yet.
  const others = tokens.filter((token) => token !== word);
  const typed = word === undefined ? '' : word.text.slice(0, caret - word.start);
  if (word === undefined && /:\w*$/.test(body.text.slice(0, caret))) return null;
  const named = (text: string): string => unquoted(text, dialect);
  const { qualifier, rest } = qualifierOf(before, named);
  const { tables } = sourcesOf(tokens, { offset: 0, fromQuoted: named, dialect });
  return {
    wants: wantsTable(rest) ? 'table' : 'any',
    typed,
    qualifier,
    sources: tables.map(({ parts, end }) => ({ parts, alias: aliasAfter(others, end, named) })),
    commons: commonTables(tokens, named).map(({ name }) => name),
    small: isLowerCase(typed, tokens[0]),
  };
}

/** Whether the caret is inside a token that must not be completed. A word that ends at the caret is completed. */
function isWithin({ kind, start, end, text }: Token, caret: number): boolean {
  if (kind === 'word' || kind === 'punctuation') return false;
  if (kind === 'comment' && !text.startsWith('/*')) return start < caret && caret <= end;
  if (kind === 'placeholder' || kind === 'number') return start < caret && caret <= end;
  return start < caret && caret < end;
}

function statementAt(tokens: readonly Token[], caret: number): readonly Token[] {
  const isEnd = ({ text }: Token): boolean => text === ';';
  const from = tokens.findLastIndex((token) => isEnd(token) && token.end <= caret) + 1;
  const to = tokens.findIndex((token) => isEnd(token) && token.start >= caret);
  return tokens.slice(from, to === -1 ? undefined : to);
}

function unquoted(text: string, { identifierQuotes }: Dialect): string {
  const pair = identifierQuotes.find(([open]) => text.startsWith(open));
  return pair === undefined ? text : text.slice(1, -1).replaceAll(pair[1] + pair[1], pair[1]);
}

/** `a.b.` at the end of the tokens, and the tokens before it. */
function qualifierOf(
  tokens: readonly Token[],
  named: (text: string) => string,
): { readonly qualifier: readonly string[]; readonly rest: readonly Token[] } {
  const qualifier: string[] = [];
  let end = tokens.length;
  while (end >= 2 && tokens[end - 1]?.text === '.') {
    const part = tokens[end - 2];
    if (part === undefined || (part.kind !== 'word' && part.kind !== 'name')) break;
    qualifier.unshift(part.kind === 'name' ? named(part.text) : part.text);
    end -= 2;
  }
  return { qualifier, rest: tokens.slice(0, end) };
}

/** Whether the tokens before a word end where a table's name begins. */
function wantsTable(tokens: readonly Token[]): boolean {
  const lists: { reading: boolean; called: string }[] = [{ reading: false, called: '' }];
  let wants = false;
  for (const [i, token] of tokens.entries()) {
    const list = lists.at(-1) ?? { reading: false, called: '' };
    const word = upperCaseWord(token);
    if (token.text === '(') {
      // `FROM (a JOIN b)`: a list of sources continues inside the brackets.
      lists.push({ reading: wants, called: upperCaseWord(tokens[i - 1]) });
      continue;
    }
    if (token.text === ')') {
      if (lists.length > 1) lists.pop();
      wants = false;
      continue;
    }
    if (word === 'LATERAL' || word === 'ONLY') continue;
    if (word === 'FROM' && (FROM_FUNCTIONS.has(list.called) || upperCaseWord(tokens[i - 1]) === 'DISTINCT')) {
      wants = false;
    } else if (BEFORE_TABLE.has(word) && (word !== 'DESC' || i === 0)) {
      list.reading = word === 'FROM' || word === 'JOIN';
      wants = true;
    } else if (word === 'UPDATE' && i === 0) wants = true;
    else if (token.text === ',') wants = list.reading;
    else {
      if (SOURCE_ENDS.has(word)) list.reading = false;
      wants = false;
    }
  }
  return wants;
}

const NO_ALIAS = new Set(
  `WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH FOR WINDOW QUALIFY UNION INTERSECT EXCEPT MINUS RETURNING SELECT SET
  SAMPLE TABLESAMPLE USING ON VALUES WHEN JOIN INNER LEFT RIGHT FULL CROSS NATURAL LATERAL ASOF POSITIONAL PIVOT
  UNPIVOT OUTER SEMI ANTI AT BEFORE`.split(/\s+/),
);

/** The alias of the table whose name ends at `end`: the next word, with or without AS. */
function aliasAfter(tokens: readonly Token[], end: number, named: (text: string) => string): string | null {
  let at = tokens.findIndex(({ start }) => start >= end);
  if (at === -1) return null;
  if (upperCaseWord(tokens[at]) === 'AS') at += 1;
  const token = tokens[at];
  if (token?.kind === 'name') return named(token.text);
  return token?.kind === 'word' && !NO_ALIAS.has(upperCaseWord(token)) ? token.text : null;
}

/**
 * Keywords are offered in the case the person uses: that of the typed text, otherwise that of the statement's start.
 */
function isLowerCase(typed: string, first: Token | undefined): boolean {
  const sample = typed === '' ? (first?.text ?? '') : typed;
  return /\p{Ll}/u.test(sample);
}
