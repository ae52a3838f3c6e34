/** Writes the Python cell that groups the rows of a table's current view. */

import type { AggregateName } from '../../../../src-shared/wire/routes/tables.ts';
import { TABLE_CODE_WORDS } from '../../../words/tableCode.ts';
import type { TableQuery } from '../tableQuery.ts';
import type { CodeTable } from './codeTable.ts';
import { columnOf, isCategory, NotWritable, pythonText } from './codeTable.ts';
import { pandasCode } from './pandasCode.ts';

/** One computed column of a grouping; without a source column it counts the rows. */
export interface Measure {
  readonly col: string | null;
  readonly agg: AggregateName | 'rows';
}

interface Grouping {
  readonly by: readonly string[];
  readonly measures: readonly Measure[];
}

const PANDAS: Readonly<Record<Measure['agg'], string>> = {
  rows: 'size',
  count: 'count',
  sum: 'sum',
  mean: 'mean',
  median: 'median',
  std: 'std',
  min: 'min',
  max: 'max',
  distinct: 'nunique',
};

/** A Python cell that shows the rows of a query in groups. @throws NotWritable */
export function groupCode(table: CodeTable, query: TableQuery, { by, measures }: Grouping): string {
  if (by.length === 0) throw new NotWritable(TABLE_CODE_WORDS.noKey);
  const keys = by.map((name) => columnOf(table, name));
  const start = rowsCode({ ...table, shown: null }, { ...query, sorts: [] });
  // pandas sorts categories in their declared order; the table sorts them by text.
  const plain = keys
    .filter(isCategory)
    .map(({ name }) => `rows[${pythonText(name)}] = rows[${pythonText(name)}].astype(object)`);
  const names = keys.map(({ name }) => pythonText(name)).join(', ');
  const measured: readonly Measure[] = measures.length === 0 ? [{ col: null, agg: 'rows' }] : measures;
  const columns = measured.map(({ col, agg }) => {
    const of = col === null ? (by[0] ?? '') : columnOf(table, col).name;
    return `    ${pythonText(measureName({ col, agg }))}: (${pythonText(of)}, ${pythonText(PANDAS[agg])}),`;
  });
  return [
    start,
    ...plain,
    `groups = rows.groupby([${names}], dropna=False).agg(**{`,
    ...columns,
    '}).reset_index()',
    'groups',
  ].join('\n');
}

/** The name that the server gives the column of a measure. */
function measureName({ col, agg }: Measure): string {
  return col === null ? 'rows' : `${col} ${agg}`;
}

/** The lines that compute `rows`, without the last one, which shows them. */
export function rowsCode(table: CodeTable, query: TableQuery): string {
  return pandasCode(table, query).replace(/\nrows$/, '');
}
