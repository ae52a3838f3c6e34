/** Inserts a clause, such as a snapshot time, after each table of a query. */

import type { Dialect } from '../../../src-shared/sql/dialect.ts';
import { scanText, type Token, upperCaseWord } from '../../../src-shared/sql/scan.ts';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { Insertion } from '../render.ts';
import type { Statement } from '../statement.ts';

/** Words that may follow a table in a FROM clause without being its alias, unless they follow AS. */
const CLAUSES = new Set(
  (
    'ON USING JOIN INNER LEFT RIGHT FULL CROSS OUTER NATURAL WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT OFFSET ' +
    'UNION INTERSECT EXCEPT FOR TABLESAMPLE PIVOT UNPIVOT WITH SET WHEN AS LATERAL MATCH_RECOGNIZE ASOF POSITIONAL ' +
    'SEMI ANTI SELECT AT'
  ).split(' '),
);

/**
 * Inserts a clause after each table of a query and its alias, where BigQuery and DuckDB expect the snapshot of a table.
 * @param clause the clause for a table, without a leading blank, or null. It becomes part of the text
 */
export function insertAfterAliases(
  { text, tables }: Statement,
  dialect: Dialect,
  clause: (table: TableName) => string | null,
): readonly Insertion[] {
  return tables.flatMap((table) => {
    const insertion = clause(table);
    if (insertion === null) return [];
    return [{ at: table.end + aliasLength(text.slice(table.end), dialect), text: ` ${insertion}` }];
  });
}

function aliasLength(rest: string, dialect: Dialect): number {
  const [first, second] = firstTokens(rest, dialect);
  if (upperCaseWord(first) === 'AS')
    return second?.kind === 'word' || second?.kind === 'name' ? second.end : 0;
  const isAlias = first?.kind === 'name' || (first?.kind === 'word' && !CLAUSES.has(upperCaseWord(first)));
  return isAlias ? first.end : 0;
}

/** The first two tokens, without scanning the rest of a long statement for each of its tables. */
function firstTokens(text: string, dialect: Dialect): readonly Token[] {
  for (let length = 200; ; length *= 4) {
    const tokens = scanText(text.slice(0, length), dialect).tokens.filter(({ kind }) => kind !== 'comment');
    // A token at the cut may be incomplete, so more text is scanned unless there are enough tokens before it.
    if (length >= text.length || tokens.length > 2) return tokens.slice(0, 2);
  }
}
