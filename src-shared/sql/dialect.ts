export type DriverName = 'duckdb' | 'sqlite' | 'postgresql' | 'snowflake' | 'bigquery';

/** How the text of one database's statements is read: what the scanner and the splitter need to know. */
export interface Dialect {
  readonly name: DriverName;
  /** What a placeholder becomes: `$1`, `$2`, … or `?`. One slot per occurrence. */
  readonly slot: 'numbered' | 'question';
  /** Whether `'it\'s'` is one string. In `E'..'` a backslash always escapes. */
  readonly backslashEscapes: boolean;
  /** Whether `$tag$ … $tag$` quotes. */
  readonly dollarQuotes: boolean;
  /** What identifiers are quoted with, opening and closing. */
  readonly identifierQuotes: readonly (readonly [open: string, close: string])[];
  /** `#` begins a comment. */
  readonly hashComments: boolean;
  /** `//` begins a comment. */
  readonly slashComments: boolean;
  /** A block comment may hold another one. */
  readonly nestedComments: boolean;
  /** A common table may read itself without the word RECURSIVE. */
  readonly withIsRecursive: boolean;
  /** `FROM data.csv` is a file, be it quoted or not. */
  readonly readsFiles: boolean;
  /** A table's first part may have dashes without quotes: `my-project.sales.orders`. */
  readonly dashedNames: boolean;
  /** `FROM t, t.items`: an array of each row stands where a table does. */
  readonly readsArrays: boolean;
}

const common = {
  slot: 'question',
  backslashEscapes: false,
  dollarQuotes: true,
  identifierQuotes: [['"', '"']],
  hashComments: false,
  slashComments: false,
  nestedComments: false,
  withIsRecursive: false,
  readsFiles: false,
  dashedNames: false,
  readsArrays: false,
} as const;

export const DIALECTS: Readonly<Record<DriverName, Dialect>> = {
  duckdb: { ...common, name: 'duckdb', nestedComments: true, readsFiles: true },
  sqlite: {
    ...common,
    name: 'sqlite',
    dollarQuotes: false,
    withIsRecursive: true,
    identifierQuotes: [
      ['"', '"'],
      ['`', '`'],
      ['[', ']'],
    ],
  },
  postgresql: { ...common, name: 'postgresql', slot: 'numbered', nestedComments: true },
  snowflake: {
    ...common,
    name: 'snowflake',
    backslashEscapes: true,
    slashComments: true,
    withIsRecursive: true,
  },
  bigquery: {
    ...common,
    name: 'bigquery',
    backslashEscapes: true,
    dollarQuotes: false,
    // Double quotes are strings there; the scanner knows.
    identifierQuotes: [['`', '`']],
    hashComments: true,
    dashedNames: true,
    readsArrays: true,
  },
};
