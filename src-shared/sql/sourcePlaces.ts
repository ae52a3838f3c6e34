import type { Dialect } from './dialect.ts';
import { type Token, upper } from './scan.ts';

/** What ends a list of sources at its depth, whatever the database: words that name nothing there. */
const ENDS = new Set(
  'WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH FOR WINDOW UNION INTERSECT EXCEPT RETURNING SELECT'.split(' '),
);
/** What ends one elsewhere, and is a name like any other in PostgreSQL. */
const OTHER_ENDS = new Set('QUALIFY MINUS SET VALUES WHEN CONNECT START'.split(' '));
const BEFORE_SOURCE = new Set(['LATERAL', 'ONLY']);
/** `a FROM b` that names no source. */
const FROM_FUNCTIONS = new Set('EXTRACT SUBSTRING TRIM OVERLAY POSITION BTRIM LTRIM RTRIM'.split(' '));
/** What a query may stand behind. */
const BEFORE_QUERY = new Set(
  'UNION INTERSECT EXCEPT ALL DISTINCT NAME EXPLAIN ANALYZE ANALYSE VERBOSE'.split(' '),
);

/** Indexes of tokens a source begins at: behind FROM, JOIN, TABLE and the like, and the commas of such a list. */
export function sourcePlaces(
  tokens: readonly Token[],
  dialect: Pick<Dialect, 'name' | 'readsFiles'>,
): readonly number[] {
  const places: number[] = [];
  // Of each depth: whether a list of sources is being read, and the word before the bracket that opened it.
  const lists: { reading: boolean; called: string }[] = [{ reading: false, called: '' }];
  const begin = (at: number): void => {
    let i = at;
    while (BEFORE_SOURCE.has(upper(tokens[i]))) i += 1;
    // `FROM (a JOIN b)`: what stands in the brackets is a list of sources too.
    while (tokens[i]?.text === '(' && !beginsQuery(tokens[i + 1], dialect)) i += 1;
    // DuckDB's `FROM alias: source`.
    places.push(dialect.readsFiles && tokens[i + 1]?.text === ':' ? i + 2 : i);
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
      if (FROM_FUNCTIONS.has(list.called) || isComparison(tokens, i)) continue;
      list.reading = true;
      begin(i + 1);
    } else if (word === 'JOIN') {
      list.reading = true;
      begin(i + 1);
    } else if (isTableQuery(tokens, i, dialect)) {
      if (upper(tokens[i + 1]) !== 'SELECT') begin(upper(tokens[i + 1]) === 'TABLE' ? i + 2 : i + 1);
    } else if (token.text === ',' && list.reading) begin(i + 1);
    // Behind a condition of a join a comma may go on with the list; behind `ON a = b,` too.
    else if (endsList(tokens, i, dialect)) list.reading = false;
  }
  return places;
}

function beginsQuery(token: Token | undefined, { readsFiles }: Pick<Dialect, 'readsFiles'>): boolean {
  const word = upper(token);
  if (/^(SELECT|WITH|VALUES|FROM|TABLE)$/.test(word)) return true;
  return readsFiles && /^(SUMMARIZE|DESCRIBE|SHOW|PIVOT|UNPIVOT)$/.test(word);
}

/** `a IS NOT DISTINCT FROM b`. */
function isComparison(tokens: readonly Token[], at: number): boolean {
  return upper(tokens[at - 1]) === 'DISTINCT' && /^(IS|NOT)$/.test(upper(tokens[at - 2]));
}

function endsList(tokens: readonly Token[], at: number, { name }: Pick<Dialect, 'name'>): boolean {
  const word = upper(tokens[at]);
  const [before, next] = [upper(tokens[at - 1]), upper(tokens[at + 1])];
  // Said of one table of BigQuery's list, which goes on behind it.
  if (word === 'OFFSET' && before === 'WITH') return false;
  if (word === 'FOR' && next.startsWith('SYSTEM')) return false;
  // `FROM VALUES (1)`.
  if (word === 'VALUES' && (/^(FROM|JOIN)$/.test(before) || tokens[at - 1]?.text === ',')) return false;
  return ENDS.has(word) || (name !== 'postgresql' && OTHER_ENDS.has(word));
}

/** `TABLE t`, `SUMMARIZE t` where a query may stand: at the beginning, in brackets, behind UNION. */
function isTableQuery(
  tokens: readonly Token[],
  at: number,
  { readsFiles }: Pick<Dialect, 'readsFiles'>,
): boolean {
  const word = upper(tokens[at]);
  if (at === 0) return /^(SUMMARIZE|DESCRIBE|DESC|TABLE|PIVOT|UNPIVOT)$/.test(word);
  const before = tokens[at - 1];
  const isQuery = before?.text === '(' || BEFORE_QUERY.has(upper(before));
  // Behind a list of common tables; behind a source in brackets `PIVOT (…)` turns that.
  const isBehind = before?.text === ')' && tokens[at + 1]?.text !== '(';
  if (word === 'TABLE') return (isQuery || isBehind) && tokens[at + 1]?.text !== '(';
  if (!readsFiles) return false;
  if (/^(PIVOT|UNPIVOT)$/.test(word)) return isQuery || isBehind;
  return /^(SUMMARIZE|DESCRIBE)$/.test(word) && isQuery;
}
