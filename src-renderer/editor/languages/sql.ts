import type { languages } from 'monaco-editor/editor';

/** What differs between the databases where a text is coloured. */
export interface SqlDialect {
  /** A backslash escapes inside '…' (BigQuery, Snowflake); elsewhere only inside E'…'. */
  readonly backslash: boolean;
  /** `#` begins a comment anywhere (BigQuery); elsewhere only in the lines before the statement. */
  readonly hash: boolean;
  /** $tag$ … $tag$ is a text (PostgreSQL, DuckDB, Snowflake). */
  readonly dollar: boolean;
}

/** The words of the standard, and those the five kinds of databases share most. Types are listed apart. */
const KEYWORDS =
  `all alter analyze and any array as asc asof at attach begin between by call cascade case cast check
  collate column commit conflict constraint copy create cross current current_date current_time current_timestamp
  database default delete desc describe distinct do drop else end escape except exclude exists explain extract fetch
  filter first following for foreign from full function group grouping having if ilike in index inner insert intersect
  interval into is join key last lateral left like limit materialized merge natural no not nothing null nulls offset on
  only or order ordinality outer over partition pivot positional pragma preceding primary procedure qualify range
  recursive references replace returning revoke right rollback row rows sample schema select semi set sets show similar
  summarize table tablesample temp temporary then to transaction trigger truncate unbounded union unique unnest unpivot
  update using values view when where window with within without`.split(/\s+/);
const TYPES =
  `bigint binary bit blob bool boolean bytea bytes char character date datetime decimal double float
  float64 geography hugeint int int64 integer json jsonb map nchar number numeric nvarchar real serial smallint string
  struct text time timestamp timestamp_ntz timestamp_tz timestamptz tinyint ubigint uinteger uuid varbinary varchar
  variant`.split(/\s+/);
const CONSTANTS = ['true', 'false', 'null'];

const WORD = {
  cases: { '@constants': 'number', '@keywords': 'keyword', '@types': 'type', '@default': 'identifier' },
};

/**
 * SQL as cells have it: annotations and remarks in `#` lines before the statement, `:name` for the value of a variable.
 * As the specification finds placeholders: not inside texts and comments, and never after a word or a colon (`::int`).
 */
export function sqlGrammar({ backslash, hash, dollar }: SqlDialect): languages.IMonarchLanguage {
  return {
    defaultToken: '',
    ignoreCase: true,
    includeLF: true,
    start: 'head',
    keywords: KEYWORDS,
    types: TYPES,
    constants: CONSTANTS,
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
        [/(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/, 'number'],
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
