/** Finds the places in SQL text where the name of a table may follow. */

import type { Dialect } from './dialect.ts';
import { type Token, upperCaseWord } from './scan.ts';

/** Keywords that end a list of sources at its depth, in every database. */
const LIST_ENDS = new Set(
  'WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH FOR WINDOW UNION INTERSECT EXCEPT RETURNING SELECT'.split(' '),
);
/** Keywords that end one elsewhere, but are ordinary names in PostgreSQL. */
const OTHER_ENDS = new Set('QUALIFY MINUS SET VALUES WHEN CONNECT START'.split(' '));
const BEFORE_SOURCE = new Set(['LATERAL', 'ONLY']);
/** Functions whose `a FROM b` does not name a source. */
const FROM_FUNCTIONS = new Set('EXTRACT SUBSTRING TRIM OVERLAY POSITION BTRIM LTRIM RTRIM'.split(' '));
/** The keywords that may precede a query. */
const BEFORE_QUERY = new Set(
  'UNION INTERSECT EXCEPT ALL DISTINCT NAME EXPLAIN ANALYZE ANALYSE VERBOSE'.split(' '),
);

/**
 * Indexes of tokens where a source begins: after FROM, JOIN, TABLE and the like, and after the commas of such
 * a list.
 */
export function sourcePlaces(
  tokens: readonly Token[],
  dialect: Pick<Dialect, 'name' | 'readsFiles'>,
): readonly number[] {
  const places: number[] = [];
  // For each depth: whether a list of sources is being read, and the word before its opening bracket.
  const lists: { reading: boolean; called: string }[] = [{ reading: false, called: '' }];
  const begin = (at: number): void => {
    let i = at;
    while (BEFORE_SOURCE.has(upperCaseWord(tokens[i]))) i += 1;
    // `FROM (a JOIN b)`: the content of the brackets is a list of sources too.
    while (tokens[i]?.text === '(' && !beginsQuery(tokens[i + 1], dialect)) i += 1;
    // DuckDB's `FROM alias: source`.
    places.push(dialect.readsFiles && tokens[i + 1]?.text === ':' ? i + 2 : i);
  };
  for (const [i, token] of tokens.entries()) {
    const list = lists.at(-1);
    if (list === undefined) break;
    if (token.text === '(') {
      lists.push({ reading: false, called: upperCaseWord(tokens[i - 1]) });
      continue;
    }
    if (token.text === ')') {
      lists.pop();
      continue;
    }
    const word = upperCaseWord(token);
    if (word === 'FROM') {
      if (FROM_FUNCTIONS.has(list.called) || isComparison(tokens, i)) continue;
      list.reading = true;
      begin(i + 1);
    } else if (word === 'JOIN') {
      list.reading = true;
      begin(i + 1);
    } else if (isTableQuery(tokens, i, dialect)) {
      if (upperCaseWord(tokens[i + 1]) !== 'SELECT')
        begin(upperCaseWord(tokens[i + 1]) === 'TABLE' ? i + 2 : i + 1);
    } else if (token.text === ',' && list.reading) begin(i + 1);
    // After the condition of a join a comma may continue the list; also after `ON a = b,`.
    else if (endsList(tokens, i, dialect)) list.reading = false;
  }
  return places;
}

function beginsQuery(token: Token | undefined, { readsFiles }: Pick<Dialect, 'readsFiles'>): boolean {
  const word = upperCaseWord(token);
  if (/^(SELECT|WITH|VALUES|FROM|TABLE)$/.test(word)) return true;
  return readsFiles && /^(SUMMARIZE|DESCRIBE|SHOW|PIVOT|UNPIVOT)$/.test(word);
}

/** `a IS NOT DISTINCT FROM b`. */
function isComparison(tokens: readonly Token[], at: number): boolean {
  return upperCaseWord(tokens[at - 1]) === 'DISTINCT' && /^(IS|NOT)$/.test(upperCaseWord(tokens[at - 2]));
}

function endsList(tokens: readonly Token[], at: number, { name }: Pick<Dialect, 'name'>): boolean {
  const word = upperCaseWord(tokens[at]);
  const [before, next] = [upperCaseWord(tokens[at - 1]), upperCaseWord(tokens[at + 1])];
  // Belongs to one table of BigQuery's list, which continues after it.
  if (word === 'OFFSET' && before === 'WITH') return false;
  if (word === 'FOR' && next.startsWith('SYSTEM')) return false;
  // `FROM VALUES (1)`.
  if (word === 'VALUES' && (/^(FROM|JOIN)$/.test(before) || tokens[at - 1]?.text === ',')) return false;
  return LIST_ENDS.has(word) || (name !== 'postgresql' && OTHER_ENDS.has(word));
}

/** `TABLE t`, `SUMMARIZE t` in the position of a query: at the start, in brackets, after UNION. */
function isTableQuery(
  tokens: readonly Token[],
  at: number,
  { readsFiles }: Pick<Dialect, 'readsFiles'>,
): boolean {
  const word = upperCaseWord(tokens[at]);
  if (at === 0) return /^(SUMMARIZE|DESCRIBE|DESC|TABLE|PIVOT|UNPIVOT)$/.test(word);
  const before = tokens[at - 1];
  const isQuery = before?.text === '(' || BEFORE_QUERY.has(upperCaseWord(before));
  // After a list of common tables; after a source in brackets `PIVOT (…)` transforms that.
  const isBehind = before?.text === ')' && tokens[at + 1]?.text !== '(';
  if (word === 'TABLE') return (isQuery || isBehind) && tokens[at + 1]?.text !== '(';
  if (!readsFiles) return false;
  if (/^(PIVOT|UNPIVOT)$/.test(word)) return isQuery || isBehind;
  return /^(SUMMARIZE|DESCRIBE)$/.test(word) && isQuery;
}
