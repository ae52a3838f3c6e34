import type { TableName } from '../../../src-shared/sql/tables.ts';
import type { Insertion } from '../render.ts';
import type { Statement } from '../statement.ts';

const BLANK = String.raw`(?:\s|--[^\n]*\n|#[^\n]*\n|/\*[\s\S]*?\*/)`;
const aliasQuotedBy = (quote: string): RegExp =>
  new RegExp(String.raw`^${BLANK}+(?:(AS)\b${BLANK}*)?(?:${quote}[^${quote}]+${quote}|([A-Za-z_]\w*))`, 'i');
const ALIASES = { '`': aliasQuotedBy('`'), '"': aliasQuotedBy('"') } as const;
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
 * @param quote what a quoted alias stands in
 * @param clause of a table, with no blank before it; null: none. It becomes part of the text
 */
export function behindAliases(
  { text, tables }: Statement,
  quote: keyof typeof ALIASES,
  clause: (table: TableName) => string | null,
): readonly Insertion[] {
  return tables.flatMap((table) => {
    const said = clause(table);
    if (said === null) return [];
    return [{ at: table.end + aliasLength(text.slice(table.end), quote), text: ` ${said}` }];
  });
}

function aliasLength(behind: string, quote: keyof typeof ALIASES): number {
  const match = ALIASES[quote].exec(behind);
  if (match === null) return 0;
  const [whole, as, bare] = match;
  return as === undefined && bare !== undefined && CLAUSES.has(bare.toUpperCase()) ? 0 : whole.length;
}
