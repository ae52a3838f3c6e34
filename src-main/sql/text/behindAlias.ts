import type { Dialect } from '../../../src-shared/sql/dialect.ts';
import { scanText, type Token, upper } from '../../../src-shared/sql/scan.ts';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { Insertion } from '../render.ts';
import type { Statement } from '../statement.ts';

/** What may follow a table in a FROM clause and is no alias, unless it comes behind AS. */
const CLAUSES = new Set(
  (
    'ON USING JOIN INNER LEFT RIGHT FULL CROSS OUTER NATURAL WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT OFFSET ' +
    'UNION INTERSECT EXCEPT FOR TABLESAMPLE PIVOT UNPIVOT WITH SET WHEN AS LATERAL MATCH_RECOGNIZE ASOF POSITIONAL ' +
    'SEMI ANTI SELECT AT'
  ).split(' '),
);

/**
 * A clause behind each table of a query and its alias: where BigQuery and DuckDB say when a table is read.
 * @param clause of a table, with no blank before it; null: none. It becomes part of the text
 */
export function behindAliases(
  { text, tables }: Statement,
  dialect: Dialect,
  clause: (table: TableName) => string | null,
): readonly Insertion[] {
  return tables.flatMap((table) => {
    const said = clause(table);
    if (said === null) return [];
    return [{ at: table.end + aliasLength(text.slice(table.end), dialect), text: ` ${said}` }];
  });
}

function aliasLength(behind: string, dialect: Dialect): number {
  const [first, second] = firstTokens(behind, dialect);
  if (upper(first) === 'AS') return second?.kind === 'word' || second?.kind === 'name' ? second.end : 0;
  const isAlias = first?.kind === 'name' || (first?.kind === 'word' && !CLAUSES.has(upper(first)));
  return isAlias ? first.end : 0;
}

/** Two tokens and no more: the rest of a long statement is not read for each of its tables. */
function firstTokens(text: string, dialect: Dialect): readonly Token[] {
  for (let length = 200; ; length *= 4) {
    const tokens = scanText(text.slice(0, length), dialect).tokens.filter(({ kind }) => kind !== 'comment');
    // What the cut went through is read again, whole.
    if (length >= text.length || tokens.length > 2) return tokens.slice(0, 2);
  }
}
