/** Finds the tables that a SQL statement reads. */

import { commonTables } from './commonTables.ts';
import type { Dialect } from './dialect.ts';
import { RangeNames } from './rangeNames.ts';
import { type Token, upperCaseWord } from './scan.ts';
import { sourcePlaces } from './sourcePlaces.ts';
import { type CalledName, calledNames, type NameAt, nameAt, type TableName } from './tableName.ts';

/** The sources of a statement. */
interface Sources {
  readonly tables: readonly TableName[];
  /** A file, a table function, a table known only at run time; null if all sources have names. */
  readonly unnameable: string | null;
  /** Names called like functions: a function with its owner's rights may read tables that no FROM names. */
  readonly calls: readonly CalledName[];
}

/** Functions without access to tables or files: their result depends on the statement only. */
const PURE_FUNCTIONS = new Set(
  `UNNEST GENERATE_SERIES RANGE GENERATE_SUBSCRIPTS JSON_EACH JSON_TREE JSON_TO_RECORDSET JSON_TO_RECORD
  JSONB_TO_RECORDSET JSONB_TO_RECORD JSON_ARRAY_ELEMENTS JSONB_ARRAY_ELEMENTS JSON_ARRAY_ELEMENTS_TEXT
  JSONB_ARRAY_ELEMENTS_TEXT JSON_EACH_TEXT JSONB_EACH JSONB_EACH_TEXT JSON_OBJECT_KEYS JSONB_OBJECT_KEYS
  REGEXP_SPLIT_TO_TABLE STRING_TO_TABLE REGEXP_MATCHES FLATTEN SPLIT_TO_TABLE GENERATE_DATE_ARRAY
  XMLTABLE JSON_TABLE VALUES`.split(/\s+/),
);
const FILE_ENDING = /^(parquet|csv|tsv|json|jsonl|ndjson|xlsx|gz|zst)$/i;

interface SourceOptions {
  readonly offset: number;
  readonly fromQuoted: (text: string) => string;
  readonly dialect: Dialect;
}

/**
 * The base tables a statement reads: the sources in FROM and JOIN lists, except names of common tables in
 * their scope, from their definition to the end of their query. Offsets in the result are relative to `offset`.
 * @param tokens of one statement, without comments
 */
export function sourcesOf(tokens: readonly Token[], { offset, fromQuoted, dialect }: SourceOptions): Sources {
  const commons = commonTables(tokens, fromQuoted);
  const isCommon = (name: NameAt, at: number): boolean =>
    name.parts.length === 1 &&
    commons.some(
      (common) =>
        sameName(common, name) &&
        at < common.scopeEnd &&
        at >= (common.isRecursive || dialect.withIsRecursive ? common.scopeStart : common.bodyEnd),
    );
  const ranges = dialect.readsArrays ? new RangeNames(tokens, fromQuoted) : null;
  const tables: TableName[] = [];
  let unnameable: string | null = null;
  for (const at of sourcePlaces(tokens, dialect)) {
    const token = tokens[at];
    if (token === undefined || token.text === '(') continue;
    if (token.kind === 'string') {
      unnameable ??= `the file ${token.text}`;
      continue;
    }
    const name = nameAt(tokens, at, { fromQuoted, dialect });
    if (name === null) {
      unnameable ??= `a table named at run time (${token.text})`;
      continue;
    }
    if (name.next === '(') {
      const called = name.parts.at(-1) ?? '';
      if (called.toUpperCase() === 'TABLE' || called.toUpperCase() === 'IDENTIFIER') {
        const inner = upperCaseWord(tokens[name.nextAt + 1]);
        if (PURE_FUNCTIONS.has(inner)) continue;
      }
      if (!PURE_FUNCTIONS.has(called.toUpperCase())) unnameable ??= `the table function ${called}()`;
      continue;
    }
    const isField = ranges?.isField(name, at) ?? false;
    ranges?.add(name, at);
    if (isField) continue;
    if (isCommon(name, at)) continue;
    if (isEscaped(name, tokens)) {
      unnameable ??= `a name written with escapes (${tokens[name.nextAt + 1]?.text})`;
      continue;
    }
    if (dialect.readsFiles && isFile(name)) {
      unnameable ??= `the file ${name.parts.join('.')}`;
      continue;
    }
    const { parts, quoted, start, end } = name;
    tables.push({ parts, quoted, start: start - offset, end: end - offset });
  }
  unnameable ??= unlistable(tokens, dialect);
  return { tables, unnameable, calls: calledNames(tokens, { fromQuoted }) };
}

/** DuckDB reads a file in place of a table name, with or without quotes. */
function isFile({ parts, quoted }: TableName): boolean {
  if (parts.length === 1 && quoted[0] === true) return /[./\\*]/.test(parts[0] ?? '');
  return parts.length > 1 && FILE_ENDING.test(parts.at(-1) ?? '');
}

/** PostgreSQL's `U&"d\0061ta"`, whose `U` alone looks like a name. */
function isEscaped({ parts, next, nextAt, end }: NameAt, tokens: readonly Token[]): boolean {
  return parts.length === 1 && /^u$/i.test(parts[0] ?? '') && next === '&' && tokens[nextAt]?.start === end;
}

/** System views have no freshness; a table in a file is as fresh as the file. */
function unlistable(tokens: readonly Token[], { name }: Pick<Dialect, 'name'>): string | null {
  const word = upperCaseWord(tokens[0]);
  return /^(SHOW|DESCRIBE|DESC)$/.test(word) && name !== 'duckdb' && name !== 'sqlite'
    ? `what ${word} tells`
    : null;
}

function sameName(
  common: { readonly name: string; readonly quoted: boolean },
  { parts }: TableName,
): boolean {
  return common.name.toLowerCase() === (parts[0] ?? '').toLowerCase();
}
