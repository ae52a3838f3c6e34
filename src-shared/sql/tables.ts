import type { Dialect } from './dialect.ts';
import { type Token, upper } from './scan.ts';

/** A table a statement names, as written: `a.b."C d"` has three parts. */
export interface TableName {
  /** Without their quotes. */
  readonly parts: readonly string[];
  /** Which parts were quoted, and keep their case. */
  readonly quoted: readonly boolean[];
  /** UTF-16 offsets of the whole name in the statement's text: where a snapshot is written behind it. */
  readonly start: number;
  readonly end: number;
}

/** What a statement reads. */
export interface Sources {
  readonly tables: readonly TableName[];
  /** A file, a table function, a table known at run time alone; null where all have names. */
  readonly unnameable: string | null;
}

/** Functions over nothing outside: what they give is said in the statement. */
const PURE_FUNCTIONS = new Set(
  `UNNEST GENERATE_SERIES RANGE GENERATE_SUBSCRIPTS JSON_EACH JSON_TREE JSON_TO_RECORDSET JSON_TO_RECORD
  JSONB_TO_RECORDSET JSONB_TO_RECORD JSON_ARRAY_ELEMENTS JSONB_ARRAY_ELEMENTS JSON_ARRAY_ELEMENTS_TEXT
  JSONB_ARRAY_ELEMENTS_TEXT JSON_EACH_TEXT JSONB_EACH JSONB_EACH_TEXT JSON_OBJECT_KEYS JSONB_OBJECT_KEYS
  REGEXP_SPLIT_TO_TABLE STRING_TO_TABLE REGEXP_MATCHES FLATTEN SPLIT_TO_TABLE GENERATE_DATE_ARRAY
  XMLTABLE JSON_TABLE`.split(/\s+/),
);
/** What ends a list of sources at its depth. */
const ENDS = new Set(
  `WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH FOR WINDOW QUALIFY UNION INTERSECT EXCEPT MINUS RETURNING SELECT SET
  SAMPLE USING ON VALUES WHEN CONNECT START`.split(/\s+/),
);
const FILE_ENDING = /^(parquet|csv|tsv|json|jsonl|ndjson)$/i;
const BEFORE_SOURCE = new Set(['LATERAL', 'ONLY']);
/** `a FROM b` that names no source. */
const FROM_FUNCTIONS = new Set([
  'EXTRACT',
  'SUBSTRING',
  'TRIM',
  'OVERLAY',
  'POSITION',
  'BTRIM',
  'LTRIM',
  'RTRIM',
]);

export interface SourceOptions {
  readonly offset: number;
  readonly fromQuoted: (text: string) => string;
  readonly dialect: Pick<Dialect, 'withIsRecursive' | 'readsFiles'>;
}

/**
 * The base tables a statement reads: what stands in FROM and JOIN lists, without the names of its common tables
 * where these are known: behind their definition, up to the end of the query that has them.
 * @param tokens of one statement, without comments
 * @param text they are of; offsets are counted from `offset`
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
  const tables: TableName[] = [];
  let unnameable: string | null = null;
  for (const at of sourcePlaces(tokens)) {
    const token = tokens[at];
    if (token === undefined || token.text === '(') continue;
    if (token.kind === 'string') {
      unnameable ??= `the file ${token.text}`;
      continue;
    }
    const name = nameAt(tokens, at, fromQuoted);
    if (name === null) {
      if (token.kind === 'placeholder' || token.text === '$' || token.text === '@') {
        unnameable ??= `a table named at run time (${token.text})`;
      }
      continue;
    }
    if (name.next === '(') {
      const called = name.parts.at(-1) ?? '';
      if (called.toUpperCase() === 'TABLE' || called.toUpperCase() === 'IDENTIFIER') {
        const inner = upper(tokens[name.nextAt + 1]);
        if (PURE_FUNCTIONS.has(inner)) continue;
      }
      if (!PURE_FUNCTIONS.has(called.toUpperCase())) unnameable ??= `the table function ${called}()`;
      continue;
    }
    if (isCommon(name, at)) continue;
    if (name.parts.length === 1 && name.quoted[0] === true && /[./\\*]/.test(name.parts[0] ?? '')) {
      // duckdb reads a file that is quoted like a name.
      if (/\.(parquet|csv|tsv|json|jsonl|ndjson|xlsx|db|duckdb|gz|zst)$/i.test(name.parts[0] ?? '')) {
        unnameable ??= `the file ${token.text}`;
        continue;
      }
    }
    if (dialect.readsFiles && name.parts.length > 1 && FILE_ENDING.test(name.parts.at(-1) ?? '')) {
      unnameable ??= `the file ${name.parts.join('.')}`;
      continue;
    }
    const { parts, quoted, start, end } = name;
    tables.push({ parts, quoted, start: start - offset, end: end - offset });
  }
  return { tables, unnameable };
}

interface NameAt extends TableName {
  /** The token behind the name. */
  readonly next: string;
  readonly nextAt: number;
}

function nameAt(tokens: readonly Token[], at: number, fromQuoted: (text: string) => string): NameAt | null {
  const parts: string[] = [];
  const quoted: boolean[] = [];
  let i = at;
  let end = 0;
  for (;;) {
    const token = tokens[i];
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'name')) return null;
    parts.push(token.kind === 'name' ? fromQuoted(token.text) : token.text);
    quoted.push(token.kind === 'name');
    end = token.end;
    if (tokens[i + 1]?.text !== '.') break;
    i += 2;
  }
  return {
    parts,
    quoted,
    start: tokens[at]?.start ?? 0,
    end,
    next: tokens[i + 1]?.text ?? '',
    nextAt: i + 1,
  };
}

function sameName(
  common: { readonly name: string; readonly quoted: boolean },
  { parts }: TableName,
): boolean {
  return common.name.toLowerCase() === (parts[0] ?? '').toLowerCase();
}

/** A common table; where its name stands for it is told in indexes of tokens. */
export interface CommonTable {
  readonly name: string;
  readonly quoted: boolean;
  readonly isRecursive: boolean;
  /** Its own beginning, its end, and the end of the query it belongs to. */
  readonly scopeStart: number;
  readonly bodyEnd: number;
  readonly scopeEnd: number;
}

/** Those of `WITH a AS (…), b(x) AS MATERIALIZED (…)`, wherever a WITH stands. */
export function commonTables(
  tokens: readonly Token[],
  fromQuoted: (text: string) => string,
): readonly CommonTable[] {
  const found: CommonTable[] = [];
  // Of each open bracket, and of the whole text: whether its last WITH says RECURSIVE, and where that stands.
  const withs: { isRecursive: boolean; at: number }[] = [{ isRecursive: false, at: 0 }];
  for (const [i, token] of tokens.entries()) {
    if (token.text === '(') withs.push({ isRecursive: false, at: i });
    if (token.text === ')') withs.pop();
    if (upper(token) === 'WITH' && token.kind === 'word') {
      withs.splice(-1, 1, { isRecursive: upper(tokens[i + 1]) === 'RECURSIVE', at: i });
    }
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    const before = tokens[i - 1];
    const isFirst = upper(before) === 'WITH' || upper(before) === 'RECURSIVE' || before?.text === ',';
    if (!isFirst) continue;
    let next = i + 1;
    if (tokens[next]?.text === '(') next = behindBracket(tokens, next);
    if (upper(tokens[next]) !== 'AS') continue;
    next += 1;
    if (upper(tokens[next]) === 'NOT') next += 1;
    if (upper(tokens[next]) === 'MATERIALIZED') next += 1;
    if (tokens[next]?.text !== '(') continue;
    const name = token.kind === 'name' ? fromQuoted(token.text) : token.text;
    const { isRecursive = false, at = 0 } = withs.at(-1) ?? {};
    found.push({
      ...{ name, quoted: token.kind === 'name', isRecursive },
      ...{
        scopeStart: isRecursive ? at : i,
        bodyEnd: behindBracket(tokens, next),
        scopeEnd: closing(tokens, i),
      },
    });
  }
  return found;
}

/** The bracket that ends what a token stands in; the number of tokens where there is none. */
function closing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i += 1) {
    if (tokens[i]?.text === '(') depth += 1;
    else if (tokens[i]?.text === ')') depth -= 1;
    if (depth < 0) return i;
  }
  return tokens.length;
}

function behindBracket(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i += 1) {
    if (tokens[i]?.text === '(') depth += 1;
    else if (tokens[i]?.text === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return tokens.length;
}

/** Indexes of tokens a source begins at: behind FROM, JOIN, and the commas of such a list. */
function sourcePlaces(tokens: readonly Token[]): readonly number[] {
  const places: number[] = [];
  // Of each depth: whether a list of sources is being read, and the word before the bracket that opened it.
  const lists: { reading: boolean; called: string }[] = [{ reading: false, called: '' }];
  const begin = (at: number): void => {
    let i = at;
    while (BEFORE_SOURCE.has(upper(tokens[i]))) i += 1;
    // `FROM (a JOIN b)`: what stands in the brackets is a list of sources too.
    while (tokens[i]?.text === '(' && !/^(SELECT|WITH|VALUES|FROM|TABLE)$/.test(upper(tokens[i + 1]))) i += 1;
    places.push(i);
  };
  for (const [i, token] of tokens.entries()) {
    const list = lists.at(-1);
    if (list === undefined) break;
    if (token.text === '(') {
      lists.push({ reading: false, called: upper(tokens[i - 1]) });
      continue;
    }
    if (token.text === ')') {
      lists.pop();
      continue;
    }
    const word = upper(token);
    if (word === 'FROM') {
      const isPart = FROM_FUNCTIONS.has(list.called) || upper(tokens[i - 1]) === 'DISTINCT';
      if (isPart) continue;
      list.reading = true;
      begin(i + 1);
    } else if (word === 'JOIN') {
      list.reading = true;
      begin(i + 1);
    } else if (/^(SUMMARIZE|DESCRIBE|DESC|TABLE|PIVOT|UNPIVOT)$/.test(word) && i === 0) {
      if (upper(tokens[1]) !== 'SELECT') begin(upper(tokens[1]) === 'TABLE' ? 2 : 1);
    } else if (token.text === ',' && list.reading) begin(i + 1);
    // Behind a condition of a join a comma may go on with the list; behind `ON a = b,` too.
    else if (ENDS.has(word) && word !== 'ON' && word !== 'USING') list.reading = false;
  }
  return places;
}
