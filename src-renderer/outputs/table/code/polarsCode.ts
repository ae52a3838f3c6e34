/** Writes the Python cell that reproduces a table's current view with polars. */

import type { Filter, TableQuery } from '../tableQuery.ts';
import type { CodeColumn, CodeTable } from './codeTable.ts';
import {
  columnOf,
  conditionsOf,
  isCategory,
  isDate,
  isFloat,
  momentParts,
  portablePattern,
  pythonText,
  pythonValue,
  searchedColumns,
  zoneOf,
} from './codeTable.ts';

const SIGNS = { eq: '==', ne: '!=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** A Python cell that shows the rows of a query as a polars frame. @throws NotWritable */
export function polarsCode(table: CodeTable, query: TableQuery): string {
  const needs = new Set<string>();
  const filters = conditionsOf(table, query).map((alternatives) => {
    const parts = alternatives.map(({ filter, column }) => conditionCode(filter, column, needs));
    return parts.join(' | ');
  });
  if (query.search !== '') filters.push(searchCode(searchedColumns(table, query.search), query.search));
  const steps = filters.map((filter) => `.filter(${filter})`);
  if (query.sorts.length > 0) steps.push(sortCode(table, query));
  if (table.shown !== null) steps.push(`.select([${table.shown.map(pythonText).join(', ')}])`);
  const start = table.isPandas
    ? `pl.from_pandas(${table.variable}.reset_index(drop=${dropsIndex(table)}))`
    : `pl.DataFrame(${table.variable})`;
  return [
    ...(needs.has('datetime') ? ['import datetime', ''] : []),
    'import polars as pl',
    '',
    'rows = (',
    `    ${start}`,
    ...steps.map((step) => `    ${step}`),
    ')',
    'rows',
  ].join('\n');
}

function dropsIndex({ variable, columns }: CodeTable): string {
  return columns[0]?.name === 'index'
    ? `"index" in ${variable}.columns`
    : `${variable}.index.names == [None]`;
}

function conditionCode(filter: Filter, column: CodeColumn, needs: Set<string>): string {
  const { op, value = '', value2 = '', values = [] } = filter;
  const own = `pl.col(${pythonText(column.name)})`;
  const text = isCategory(column) ? `${own}.cast(pl.String)` : own;
  const literal = (one: typeof value): string => {
    if (column.kind !== 'temporal') return pythonValue(one, column);
    needs.add('datetime');
    return momentCode(one, column);
  };
  const lower = `${text}.str.to_lowercase()`;
  const needle = pythonText(String(value).toLowerCase());
  switch (op) {
    case 'is_null':
      return `${own}.is_null()`;
    case 'not_null':
      return `${own}.is_not_null()`;
    // In polars NaN is the largest number; the table leaves it out.
    case 'gt':
    case 'ge':
      return isFloat(column) && column.kind === 'number'
        ? `((${own} ${SIGNS[op]} ${literal(value)}) & ${own}.is_not_nan())`
        : `(${column.kind === 'text' ? text : own} ${SIGNS[op]} ${literal(value)})`;
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
      return `(${column.kind === 'text' ? text : own} ${SIGNS[op]} ${literal(value)})`;
    case 'between':
      // `is_between` would take a string as the name of a column.
      return column.kind === 'text'
        ? `${text}.is_between(pl.lit(${literal(value)}), pl.lit(${literal(value2)}))`
        : `${own}.is_between(${literal(value)}, ${literal(value2)})`;
    case 'in':
    case 'not_in': {
      // A list for `is_in` cannot contain expressions, and timestamps with a time zone are written as expressions.
      const list =
        zoneOf(column) === null
          ? `${text}.is_in([${values.map(literal).join(', ')}])`
          : `(${values.map((one) => `(${own} == ${literal(one)})`).join(' | ')})`;
      return op === 'in' ? list : `~${list}`;
    }
    case 'contains':
      return `${lower}.str.contains(${needle}, literal=True)`;
    case 'not_contains':
      return `~${lower}.str.contains(${needle}, literal=True)`;
    case 'starts_with':
      return `${lower}.str.starts_with(${needle})`;
    case 'ends_with':
      return `${lower}.str.ends_with(${needle})`;
    case 'regex':
      return `${text}.str.contains(${pythonText(portablePattern(String(value)))})`;
  }
}

function momentCode(value: string | number | boolean, column: CodeColumn): string {
  const parts = [...momentParts(value, column)];
  if (isDate(column) && parts.slice(3).every((part) => part === 0)) {
    return `datetime.date(${parts.slice(0, 3).join(', ')})`;
  }
  while (parts.length > 5 && parts.at(-1) === 0) parts.pop();
  const moment = `datetime.datetime(${parts.join(', ')})`;
  const zone = zoneOf(column);
  return zone === null ? moment : `pl.lit(${moment}).dt.replace_time_zone(${pythonText(zone)})`;
}

function searchCode(columns: readonly CodeColumn[], search: string): string {
  const tests = columns.map(
    (column) =>
      `pl.col(${pythonText(column.name)})${isCategory(column) ? '.cast(pl.String)' : ''}.str.to_lowercase().str.contains(${pythonText(search.toLowerCase())}, literal=True)`,
  );
  return `pl.any_horizontal(${tests.join(', ')})`;
}

/** The code that sorts; null and NaN are last in both directions. */
function sortCode(table: CodeTable, { sorts }: TableQuery): string {
  const keys: string[] = [];
  const down: string[] = [];
  for (const { column: name, dir } of sorts) {
    const column = columnOf(table, name);
    const own = `pl.col(${pythonText(name)})`;
    const isDown = dir === 'desc';
    if (isDown && column.kind === 'number' && isFloat(column)) {
      keys.push(`${own}.fill_nan(None)`, `${own}.is_null()`);
      down.push('True', 'False');
      continue;
    }
    keys.push(isCategory(column) ? `${own}.cast(pl.String)` : own);
    down.push(isDown ? 'True' : 'False');
  }
  return `.sort([${keys.join(', ')}], descending=[${down.join(', ')}], nulls_last=True, maintain_order=True)`;
}
