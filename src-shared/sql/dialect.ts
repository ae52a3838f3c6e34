/** The differences between the SQL dialects of the supported databases that reading a statement needs. */

export type DriverName = 'duckdb' | 'sqlite' | 'postgresql' | 'snowflake' | 'bigquery';

/** The properties of a database's syntax that the scanner and the splitter need. */
export interface Dialect {
  readonly name: DriverName;
  /** The replacement of a placeholder: `$1`, `$2`, … or `?`. One slot per occurrence. */
  readonly slot: 'numbered' | 'question';
  /** Whether `'it\'s'` is one string. In `E'..'` a backslash always escapes. */
  readonly backslashEscapes: boolean;
  /** Whether `$tag$ … $tag$` quotes. */
  readonly dollarQuotes: boolean;
  /** The quotes of identifiers, opening and closing. */
  readonly identifierQuotes: readonly (readonly [open: string, close: string])[];
  /** `#` begins a comment. */
  readonly hashComments: boolean;
  /** `//` begins a comment. */
  readonly slashComments: boolean;
  /** Block comments can be nested. */
  readonly nestedComments: boolean;
  /** A common table may refer to itself without the word RECURSIVE. */
  readonly withIsRecursive: boolean;
  /** `FROM data.csv` is a file, with or without quotes. */
  readonly readsFiles: boolean;
  /** A table's first part may contain dashes without quotes: `my-project.sales.orders`. */
  readonly dashedNames: boolean;
  /** `FROM t, t.items`: an array of each row can be used like a table. */
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
    // Double quotes are strings there; the scanner handles them.
    identifierQuotes: [['`', '`']],
    hashComments: true,
    dashedNames: true,
    readsArrays: true,
  },
};
