/** Writes the SQL cell (DuckDB) that reproduces a table's current view. */

import type { Filter, TableQuery } from '../tableQuery.ts';
import type { CodeColumn, CodeTable } from './codeTable.ts';
import {
  columnOf,
  conditionsOf,
  isCategory,
  isDate,
  isFloat,
  momentText,
  numberText,
  portablePattern,
  searchedColumns,
  zoneOf,
} from './codeTable.ts';

const SIGNS = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** A SQL cell (DuckDB) that shows the rows of a query. @throws NotWritable */
export function sqlCode(table: CodeTable, query: TableQuery): string {
  const conditions = conditionsOf(table, query).map((alternatives) => {
    const parts = alternatives.map(({ filter, column }) => conditionCode(filter, column));
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' OR ')})`;
  });
  if (query.search !== '') conditions.push(searchCode(searchedColumns(table, query.search), query.search));
  const names = table.shown === null ? null : table.shown.map(nameOf).join(', ');
  const where = conditions.length === 0 ? [] : [`WHERE ${conditions.join('\n  AND ')}`];
  if (query.sorts.length === 0) {
    return [`SELECT ${names ?? '*'}`, `FROM ${nameOf(table.variable)}`, ...where].join('\n');
  }
  // Rows that are equal in all keys keep their order.
  return [
    `SELECT ${names ?? '* EXCLUDE (row_place)'}`,
    `FROM (SELECT *, row_number() OVER () AS row_place FROM ${nameOf(table.variable)})`,
    ...where,
    `ORDER BY ${[...query.sorts.flatMap(({ column, dir }) => sortKeys(columnOf(table, column), dir)), 'row_place'].join(', ')}`,
  ].join('\n');
}

function nameOf(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Words that must be quoted as names; the list includes more than necessary. */
const RESERVED: ReadonlySet<string> = new Set(
  `all and any array as asc at between both by case cast check collate column constraint create cross current date default
  desc describe distinct do else end except false fetch filter first for foreign from full grant group having if in
  index inner intersect interval into is join key lateral leading left like limit natural not null of offset on only or order
  outer over pivot primary qualify range references returning right row rows sample select set show similar some summarize table
  then time timestamp to trailing true type union unique unpivot user using value values when where window with`
    .trim()
    .split(/\s+/),
);

function textOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function literal(value: string | number | boolean, column: CodeColumn): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (column.kind === 'temporal') {
    const text = momentText(value, column);
    if (isDate(column) && text.length === 10) return `DATE '${text}'`;
    const zone = zoneOf(column);
    return zone === null ? `TIMESTAMP '${text}'` : `timezone(${textOf(zone)}, TIMESTAMP '${text}')`;
  }
  if (typeof value === 'number') return numberText(value);
  return column.kind === 'number' && /^-?\d+$/.test(value) ? value : textOf(value);
}

function conditionCode(filter: Filter, column: CodeColumn): string {
  const { op, value = '', value2 = '', values = [] } = filter;
  const plain = nameOf(column.name);
  const own = isCategory(column) ? `${plain}::VARCHAR` : plain;
  const needle = textOf(String(value).toLowerCase());
  switch (op) {
    case 'is_null':
      return `${plain} IS NULL`;
    case 'not_null':
      return `${plain} IS NOT NULL`;
    // In DuckDB NaN is the largest number; the table leaves it out.
    case 'gt':
    case 'ge': {
      const test = `${own} ${SIGNS[op]} ${literal(value, column)}`;
      return column.kind === 'number' && isFloat(column) ? `(${test} AND NOT isnan(${own}))` : test;
    }
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
      return `${own} ${SIGNS[op]} ${literal(value, column)}`;
    case 'between':
      return `(${own} BETWEEN ${literal(value, column)} AND ${literal(value2, column)})`;
    case 'in':
    case 'not_in': {
      const list = values.map((one) => literal(one, column)).join(', ');
      return `${own} ${op === 'in' ? 'IN' : 'NOT IN'} (${list})`;
    }
    case 'contains':
      return `contains(lower(${own}), ${needle})`;
    case 'not_contains':
      return `NOT contains(lower(${own}), ${needle})`;
    case 'starts_with':
      return `starts_with(lower(${own}), ${needle})`;
    case 'ends_with':
      return `ends_with(lower(${own}), ${needle})`;
    case 'regex':
      return `regexp_matches(${own}, ${textOf(portablePattern(String(value)))})`;
  }
}

function searchCode(columns: readonly CodeColumn[], search: string): string {
  const tests = columns.map(
    (column) => `contains(lower(${nameOf(column.name)}::VARCHAR), ${textOf(search.toLowerCase())})`,
  );
  return `(${tests.join(' OR ')})`;
}

function sortKeys(column: CodeColumn, dir: 'asc' | 'desc'): string[] {
  const plain = nameOf(column.name);
  const own = isCategory(column) ? `${plain}::VARCHAR` : plain;
  if (dir === 'asc') return [`${own} NULLS LAST`];
  if (column.kind !== 'number' || !isFloat(column)) return [`${own} DESC NULLS LAST`];
  return [`CASE WHEN ${own} IS NULL THEN 2 WHEN isnan(${own}) THEN 1 ELSE 0 END`, `${own} DESC`];
}
