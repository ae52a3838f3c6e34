import type { Insertion } from '../render.ts';
import type { Statement } from '../statement.ts';

const BLANK = String.raw`(?:\s|--[^\n]*\n|#[^\n]*\n|/\*[\s\S]*?\*/)`;
const ALIAS = new RegExp(
  String.raw`^${BLANK}+(?:(AS)\b${BLANK}*)?(?:${'`'}[^${'`'}]+${'`'}|([A-Za-z_]\w*))`,
  'i',
);
/** What may follow a table in a FROM clause and is no alias, unless it comes behind AS. */
const CLAUSES = new Set(
  (
    'ON USING JOIN INNER LEFT RIGHT FULL CROSS OUTER NATURAL WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT ' +
    'UNION INTERSECT EXCEPT FOR TABLESAMPLE PIVOT UNPIVOT WITH SET WHEN AS LATERAL MATCH_RECOGNIZE'
  ).split(' '),
);

/**
 * What makes each table of a query be read as it was at a moment. BigQuery has the clause behind the table's alias.
 * @param moment checked by the caller: it becomes part of the text
 */
export function insertionsAt({ text, tables }: Statement, moment: string): readonly Insertion[] {
  return tables.map(({ end }) => ({
    at: end + aliasLength(text.slice(end)),
    text: ` FOR SYSTEM_TIME AS OF TIMESTAMP '${moment}'`,
  }));
}

function aliasLength(behind: string): number {
  const match = ALIAS.exec(behind);
  if (match === null) return 0;
  const [whole, as, bare] = match;
  return as === undefined && bare !== undefined && CLAUSES.has(bare.toUpperCase()) ? 0 : whole.length;
}
