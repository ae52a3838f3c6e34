import type { Dialect } from '../../../src-shared/sql/dialect.ts';
import { scanText, type Token, upper } from '../../../src-shared/sql/scan.ts';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { Insertion } from '../render.ts';
import type { Statement } from '../statement.ts';

/** Words that may follow a table in a FROM clause and are not an alias, except after AS. */
const CLAUSES = new Set(
  (
    'ON USING JOIN INNER LEFT RIGHT FULL CROSS OUTER NATURAL WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT OFFSET ' +
    'UNION INTERSECT EXCEPT FOR TABLESAMPLE PIVOT UNPIVOT WITH SET WHEN AS LATERAL MATCH_RECOGNIZE ASOF POSITIONAL ' +
    'SEMI ANTI SELECT AT'
  ).split(' '),
);

/**
 * Inserts a clause after each table of a query and its alias, where BigQuery and DuckDB expect the time of reading.
 * @param clause returns the clause of a table, without a leading space, or null for none. It becomes part of the text
 */
export function insertAfterAliases(
  { text, tables }: Statement,
  dialect: Dialect,
  clause: (table: TableName) => string | null,
): readonly Insertion[] {
  return tables.flatMap((table) => {
    const inserted = clause(table);
    if (inserted === null) return [];
    return [{ at: table.end + aliasLength(text.slice(table.end), dialect), text: ` ${inserted}` }];
  });
}

function aliasLength(following: string, dialect: Dialect): number {
  const [first, second] = firstTokens(following, dialect);
  if (upper(first) === 'AS') return second?.kind === 'word' || second?.kind === 'name' ? second.end : 0;
  const isAlias = first?.kind === 'name' || (first?.kind === 'word' && !CLAUSES.has(upper(first)));
  return isAlias ? first.end : 0;
}

/** Scans only as far as needed for two tokens, so that a long statement is not scanned once per table. */
function firstTokens(text: string, dialect: Dialect): readonly Token[] {
  for (let length = 200; ; length *= 4) {
    const tokens = scanText(text.slice(0, length), dialect).tokens.filter(({ kind }) => kind !== 'comment');
    // The last token may be cut off, so a longer text is scanned again.
    if (length >= text.length || tokens.length > 2) return tokens.slice(0, 2);
  }
}
