/** Monaco's highlighting of SQL cells, for each database dialect. */

import type { languages } from 'monaco-editor/editor';
import { CONSTANTS, KEYWORDS, TYPES } from '../sql/sqlWords.ts';

/** The differences between databases that matter for highlighting. */
export interface SqlDialect {
  /** A backslash escapes inside '…' (BigQuery, Snowflake); elsewhere only inside E'…'. */
  readonly backslash: boolean;
  /** `#` begins a comment anywhere (BigQuery); elsewhere only in the lines before the statement. */
  readonly hash: boolean;
  /** $tag$ … $tag$ is a string (PostgreSQL, DuckDB, Snowflake). */
  readonly dollar: boolean;
}

const WORD = {
  cases: { '@constants': 'number', '@keywords': 'keyword', '@types': 'type', '@default': 'identifier' },
};

/**
 * SQL in cells: annotations and comments in `#` lines before the statement, `:name` for the value of a variable. These
 * placeholders follow the specification: not inside strings and comments, and never after a word or a colon (`::int`).
 */
export function sqlGrammar({ backslash, hash, dollar }: SqlDialect): languages.IMonarchLanguage {
  return {
    defaultToken: '',
    ignoreCase: true,
    includeLF: true,
    start: 'head',
    keywords: [...KEYWORDS],
    types: [...TYPES],
    constants: [...CONSTANTS],
    tokenizer: {
      head: [
        [/[ \t]*#[^\n]*\n?/, 'comment'],
        [/\s+/, ''],
        [/./, { token: '@rematch', switchTo: '@root' }],
      ],
      root: [
        [/--[^\n]*/, 'comment'],
        ...(hash ? ([[/#[^\n]*/, 'comment']] as languages.IMonarchLanguageRule[]) : []),
        [/\/\*/, 'comment', '@comment'],
        [/e'/, 'string', '@escapedText'],
        [/(?:b|r|x|n|br|rb)?'/, 'string', backslash ? '@escapedText' : '@text'],
        [/"/, 'identifier.quote', '@quoted'],
        [/`[^`\n]*`/, 'identifier.quote'],
        ...(dollar
          ? ([[/\$(\w*)\$/, { token: 'string', next: '@dollarText.$1' }]] as languages.IMonarchLanguageRule[])
          : []),
        [/::/, 'operator'],
        [/:[a-z_]\w*/, 'variable'],
        [
          /[a-z_]\w*(?=\s*\()/,
          { cases: { '@keywords': 'keyword', '@types': 'type', '@default': 'function' } },
        ],
        [/(\d[\w.]*)(:+)(?=\w)/, ['number', 'operator']],
        [/([a-z_][\w$]*)(:+)(?=\w)/, [WORD, 'operator']],
        [/[a-z_][\w$]*/, WORD],
        [/0x[\da-f]+|(?:\d(?:_?\d)*\.?|\.\d)(?:_?\d)*(?:e[+-]?\d+)?/, 'number'],
        [/[<>=!~|&^%*/+-]+/, 'operator'],
        [/[;,.()[\]{}]/, 'delimiter'],
      ],
      comment: [
        [/\*\//, 'comment', '@pop'],
        [/[^*]+|\*/, 'comment'],
      ],
      text: [
        [/''/, 'string'],
        [/'/, 'string', '@pop'],
        [/[^']+/, 'string'],
      ],
      escapedText: [
        [/\\[\s\S]|''/, 'string'],
        [/'/, 'string', '@pop'],
        [/[^'\\]+/, 'string'],
      ],
      quoted: [
        [/""/, 'identifier.quote'],
        [/"/, 'identifier.quote', '@pop'],
        [/[^"]+/, 'identifier.quote'],
      ],
      dollarText: [
        [/\$(\w*)\$/, { cases: { '$1==$S2': { token: 'string', next: '@pop' }, '@default': 'string' } }],
        [/[^$]+|\$/, 'string'],
      ],
    },
  };
}

export const SQL_CONFIGURATION: languages.LanguageConfiguration = {
  comments: { lineComment: '--', blockComment: ['/*', '*/'] },
  brackets: [
    ['(', ')'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: "'", close: "'", notIn: ['string', 'comment'] },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
  ],
  surroundingPairs: [
    { open: '(', close: ')' },
    { open: '[', close: ']' },
    { open: "'", close: "'" },
    { open: '"', close: '"' },
  ],
};
