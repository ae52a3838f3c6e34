/** Splits SQL text into tokens, for every supported database. */

import type { Dialect } from './dialect.ts';

type TokenKind = 'word' | 'name' | 'string' | 'number' | 'placeholder' | 'comment' | 'punctuation';

/** A token of SQL text; between two is white space. Offsets are UTF-16, `end` is exclusive. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** As written. */
  readonly text: string;
}

const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:0[xX][0-9a-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y;
/** sql; the character before it is checked separately. */
const PLACEHOLDER = /:[A-Za-z_][\p{L}\p{N}_]*/uy;
/** Characters that no placeholder can follow: the first colon of a cast, the end of a slice, a key. */
const BEFORE_NONE = /[:\p{L}\p{N}_]$/u;
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const OPERATORS = /[-+*/<>=~!@%^&|?]+/y;
const SPACE = /\s+/y;

/** The tokens of a text, as far as it can be scanned. */
interface ScannedSql {
  readonly tokens: readonly Token[];
  /** An unterminated quote or comment: its position (UTF-16) and a message; null if there is none. */
  readonly unclosed: { readonly position: number; readonly words: string } | null;
}

/**
 * Scans SQL into tokens: strings, quoted names, comments and dollar-quoted text are one token each, so that
 * nothing in them is taken for a placeholder, a table or the end of a statement (docs/spec/sql.md, 1).
 */
export function scanText(text: string, dialect: Dialect): ScannedSql {
  return new Scanner(text, dialect).all();
}

/** A word in upper case; empty for every other token. */
export function upperCaseWord(token: Token | undefined): string {
  return token?.kind === 'word' ? token.text.toUpperCase() : '';
}

/** An unterminated token: the text cannot be scanned further. */
class Unclosed extends Error {}

/** A loop over token readers: each takes one token at `at` and returns its end, or null. */
class Scanner {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  all(): ScannedSql {
    try {
      while (this.#at < this.#text.length) {
        const space = this.#match(SPACE);
        if (space === null) this.#take();
        else this.#at = space;
      }
    } catch (error) {
      if (!(error instanceof Unclosed)) throw error;
      return { tokens: this.#tokens, unclosed: { position: this.#at, words: error.message } };
    }
    return { tokens: this.#tokens, unclosed: null };
  }

  /** Applies the first reader that matches here. */
  #take(): void {
    const readers: readonly (readonly [TokenKind, () => number | null])[] = [
      ['comment', () => this.#comment()],
      ['string', () => this.#string()],
      ['name', () => this.#quotedName()],
      ['placeholder', () => this.#placeholder()],
      ['number', () => this.#match(NUMBER)],
      ['word', () => this.#match(WORD)],
    ];
    for (const [kind, readPart] of readers) {
      const end = readPart();
      if (end === null) continue;
      this.#push(kind, end);
      return;
    }
    this.#push('punctuation', this.#operator());
  }

  #push(kind: TokenKind, end: number): void {
    this.#tokens.push({ kind, start: this.#at, end, text: this.#text.slice(this.#at, end) });
    this.#at = end;
  }

  #match(pattern: RegExp, from = this.#at): number | null {
    pattern.lastIndex = from;
    return pattern.test(this.#text) ? pattern.lastIndex : null;
  }

  #comment(): number | null {
    const text = this.#text;
    const at = this.#at;
    const { hashComments, slashComments } = this.#dialect;
    const isLine =
      text.startsWith('--', at) ||
      (hashComments && text[at] === '#') ||
      (slashComments && text.startsWith('//', at));
    if (isLine) {
      const end = text.slice(at).search(/[\r\n]/);
      return end === -1 ? text.length : at + end;
    }
    if (!text.startsWith('/*', at)) return null;
    let depth = 1;
    let next = at + 2;
    while (depth > 0) {
      const close = text.indexOf('*/', next);
      if (close === -1) throw this.#open('A comment /* is never closed.');
      const inner = this.#dialect.nestedComments ? text.indexOf('/*', next) : -1;
      if (inner !== -1 && inner < close) {
        depth += 1;
        next = inner + 2;
      } else {
        depth -= 1;
        next = close + 2;
      }
    }
    return next;
  }

  #string(): number | null {
    const { backslashEscapes, dollarQuotes, name } = this.#dialect;
    const text = this.#text;
    // Prefixes belong to their string: E'..', B'..', X'..', N'..', U&'..', r'..', b'..'; directly before it,
    // without a preceding word character.
    const prefix = /^(?:[EeBbXxNnRr]|[Uu]&|[Rr][Bb]|[Bb][Rr])?(?='|")/.exec(
      text.slice(this.#at, this.#at + 4),
    );
    const at = this.#at + (prefix?.[0].length ?? 0);
    const isBigQuery = name === 'bigquery';
    const isRaw = isBigQuery && /[rR]/.test(prefix?.[0] ?? '');
    if (text[at] === "'" || (isBigQuery && text[at] === '"')) {
      const escapes = (backslashEscapes && !isRaw) || /^[eE]$/.test(prefix?.[0] ?? '');
      return this.#closed(at, { escapes, isBigQuery });
    }
    if (!dollarQuotes || text[this.#at] !== '$') return null;
    const tagEnd = this.#match(DOLLAR_TAG);
    if (tagEnd === null) return null;
    const tag = text.slice(this.#at, tagEnd);
    const close = text.indexOf(tag, tagEnd);
    if (close === -1) throw this.#open(`The text opened by ${tag} is never closed.`);
    return close + tag.length;
  }

  /** @param at the index of the opening quote */
  #closed(at: number, { escapes, isBigQuery }: { escapes: boolean; isBigQuery: boolean }): number {
    const text = this.#text;
    const quote = text[at] ?? "'";
    const triple = quote.repeat(3);
    if (isBigQuery && text.startsWith(triple, at)) {
      for (let next = at + 3; next < text.length; next += text[next] === '\\' ? 2 : 1) {
        if (text.startsWith(triple, next)) return next + 3;
      }
      throw this.#open(`A text opened by ${triple} is never closed.`);
    }
    for (let next = at + 1; next < text.length; next += 1) {
      if (escapes && text[next] === '\\') next += 1;
      else if (text[next] === quote) {
        if (isBigQuery || text[next + 1] !== quote) return next + 1;
        next += 1;
      }
    }
    throw this.#open(`A text opened by ${quote} is never closed.`);
  }

  #quotedName(): number | null {
    const text = this.#text;
    // Brackets are quotes only in sqlite; elsewhere they are subscripts and lists.
    const pair = this.#dialect.identifierQuotes.find(([open]) => text[this.#at] === open);
    if (pair === undefined) return null;
    const [open, close] = pair;
    for (let next = this.#at + 1; next < text.length; next += 1) {
      if (text[next] !== close) continue;
      if (close === ']' || text[next + 1] !== close) return next + 1;
      next += 1;
    }
    throw this.#open(`A name opened by ${open} is never closed.`);
  }

  #placeholder(): number | null {
    const end = this.#match(PLACEHOLDER);
    if (end === null) return null;
    return BEFORE_NONE.test(this.#text.slice(Math.max(0, this.#at - 2), this.#at)) ? null : end;
  }

  #operator(): number {
    const end = this.#match(OPERATORS);
    if (end === null) {
      const point = this.#text.codePointAt(this.#at) ?? 0;
      return this.#at + (point > 0xffff ? 2 : 1);
    }
    // `a*--x` and `a/*x*/` contain comments.
    const comments = this.#dialect.slashComments ? /--|\/\*|\/\// : /--|\/\*/;
    const inner = this.#text.slice(this.#at + 1, end).search(comments);
    return inner === -1 ? end : this.#at + 1 + inner;
  }

  #open(message: string): Unclosed {
    return new Unclosed(message);
  }
}
