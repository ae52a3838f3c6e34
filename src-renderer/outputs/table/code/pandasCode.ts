/** Writes the Python cell that reproduces a table's current view with pandas. */

import type { Filter, TableQuery } from '../tableQuery.ts';
import type { CodeColumn, CodeTable } from './codeTable.ts';
import {
  columnOf,
  conditionsOf,
  isCategory,
  isDate,
  momentText,
  portablePattern,
  pythonText,
  pythonValue,
  searchedColumns,
} from './codeTable.ts';

const SIGNS = { eq: '==', ne: '!=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

const ORDERED: ReadonlySet<Filter['op']> = new Set(['gt', 'ge', 'lt', 'le', 'between']);

/** A Python cell that shows the rows of a query as a pandas frame. @throws NotWritable */
export function pandasCode(table: CodeTable, query: TableQuery): string {
  const needs = new Set<string>();
  const masks = conditionsOf(table, query).map((alternatives) => {
    const parts = alternatives.map(({ filter, column }) => conditionCode(filter, column, needs));
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' | ')})`;
  });
  if (query.search !== '') masks.push(searchCode(searchedColumns(table, query.search), query.search));
  const lines = [startOf(table)];
  if (table.columns.some(({ name }) => /^\d+$/.test(name)))
    lines.push('rows.columns = rows.columns.map(str)');
  for (const mask of masks) lines.push(`rows = rows[${mask}]`);
  if (query.sorts.length > 0) lines.push(sortCode(table, query));
  if (table.shown !== null) lines.push(`rows = rows[[${table.shown.map(pythonText).join(', ')}]]`);
  lines.push('rows = rows.reset_index(drop=True)', 'rows');
  return [...(needs.has('pd') ? ['import pandas as pd', ''] : []), ...lines].join('\n');
}

/**
 * The line that makes `rows` from the variable. A named index is a column of the result; an unnamed one is not, unless
 * it has labels: then it is the column `index`.
 */
function startOf({ variable, columns, isPandas }: CodeTable): string {
  const frame = isPandas
    ? variable
    : `(${variable}.to_pandas() if hasattr(${variable}, "to_pandas") else ${variable})`;
  if (columns[0]?.name === 'index') {
    return `rows = ${frame}.reset_index(drop="index" in ${variable}.columns)`;
  }
  return isPandas
    ? `rows = ${frame}.reset_index(drop=${variable}.index.names == [None])`
    : `rows = ${frame}\nrows = rows.reset_index(drop=rows.index.names == [None])`;
}

function conditionCode(filter: Filter, column: CodeColumn, needs: Set<string>): string {
  const { op, value = '', value2 = '', values = [] } = filter;
  const plain = `rows[${pythonText(column.name)}]`;
  const isMoment = column.kind === 'temporal';
  // Dates are objects in pandas, which can be compared only with dates.
  const isDay = isMoment && isDate(column);
  // Categories, and text with missing values, cannot be ordered as they are.
  const isOrdered = column.kind === 'text' && ORDERED.has(op);
  const own = isDay ? `pd.to_datetime(${plain})` : isOrdered ? `${plain}.astype("string")` : plain;
  if (isDay && op !== 'is_null' && op !== 'not_null') needs.add('pd');
  const literal = (one: typeof value): string =>
    isMoment ? pythonText(momentText(one, column)) : pythonValue(one, column);
  const notNull = `${plain}.notna()`;
  switch (op) {
    case 'is_null':
      return `${plain}.isna()`;
    case 'not_null':
      return notNull;
    case 'ne':
      return `(${notNull} & (${own} != ${literal(value)}))`;
    case 'eq':
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return `(${own} ${SIGNS[op]} ${literal(value)})`;
    case 'between':
      return `${own}.between(${literal(value)}, ${literal(value2)})`;
    case 'in':
    case 'not_in': {
      const list = `[${values.map(literal).join(', ')}]`;
      if (isMoment) needs.add('pd');
      const zone = isMoment ? `pd.to_datetime(${list}, format="ISO8601").tz_localize(${own}.dt.tz)` : list;
      return op === 'in' ? `${own}.isin(${zone})` : `(${notNull} & ~${own}.isin(${zone}))`;
    }
    case 'contains':
      return `${plain}.str.contains(${pythonText(String(value))}, case=False, regex=False, na=False)`;
    case 'not_contains':
      return `(${notNull} & ~${plain}.str.contains(${pythonText(String(value))}, case=False, regex=False, na=False))`;
    case 'starts_with':
      return `${plain}.str.lower().str.startswith(${pythonText(String(value).toLowerCase())}, na=False)`;
    case 'ends_with':
      return `${plain}.str.lower().str.endswith(${pythonText(String(value).toLowerCase())}, na=False)`;
    case 'regex':
      return `${plain}.str.contains(${pythonText(portablePattern(String(value)))}, regex=True, na=False)`;
  }
}

function searchCode(columns: readonly CodeColumn[], search: string): string {
  const names = columns.map(({ name }) => pythonText(name)).join(', ');
  const test = `column.str.contains(${pythonText(search)}, case=False, regex=False, na=False)`;
  return `rows[[${names}]].apply(lambda column: ${test}).any(axis=1)`;
}

function sortCode(table: CodeTable, { sorts }: TableQuery): string {
  const columns = sorts.map(({ column }) => columnOf(table, column));
  const names = columns.map(({ name }) => pythonText(name)).join(', ');
  const up = sorts.map(({ dir }) => (dir === 'asc' ? 'True' : 'False')).join(', ');
  // Categories have an order of their own; the table sorts them by text.
  const key = columns.some(isCategory)
    ? ', key=lambda column: column.astype(object) if column.dtype == "category" else column'
    : '';
  return `rows = rows.sort_values([${names}], ascending=[${up}], kind="stable"${key})`;
}
