/**
 * A query on a table result (filters, search and sort keys) and its conversion to parameters of the server's data
 * route.
 */

import { TABLE_WORDS } from '../../words/table.ts';

/** The operators of the data route (docs/spec/rest-notebooks.md, 5.3, and docs/extensions.md). */
export const OPERATORS = [
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'between',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'regex',
  'is_null',
  'not_null',
] as const;
export type Operator = (typeof OPERATORS)[number];
export type FilterValue = string | number | boolean;

export interface Filter {
  readonly col: string;
  readonly op: Operator;
  readonly value?: FilterValue;
  readonly value2?: FilterValue;
  /** The values of the list operators. */
  readonly values?: readonly FilterValue[];
}

/** Conditions of which at least one must hold. */
interface AnyOf {
  readonly any: readonly Filter[];
}
export type Condition = Filter | AnyOf;

export interface SortKey {
  readonly column: string;
  readonly dir: 'asc' | 'desc';
}

/** A query on a table, without the position in the answer. */
export interface TableQuery {
  /** The sort keys, the most important first. */
  readonly sorts: readonly SortKey[];
  readonly search: string;
  /** The conditions, all of which must hold. */
  readonly filters: readonly Condition[];
}

export const plainQuery: TableQuery = { sorts: [], search: '', filters: [] };

/** Whether the query selects all rows of the result in their own order. */
export function isPlain(query: TableQuery): boolean {
  return query.sorts.length === 0 && !isNarrowed(query);
}

/** Whether the query may leave out rows. */
export function isNarrowed(query: TableQuery): boolean {
  return query.search !== '' || query.filters.length > 0;
}

function isAnyOf(condition: Condition): condition is AnyOf {
  return 'any' in condition;
}

/** The alternatives of a condition; a plain one is its only alternative. */
export function alternativesOf(condition: Condition): readonly Filter[] {
  return isAnyOf(condition) ? condition.any : [condition];
}

/** The columns that conditions are about. */
export function filteredColumns(query: TableQuery): ReadonlySet<string> {
  return new Set(query.filters.flatMap((one) => alternativesOf(one).map(({ col }) => col)));
}

/** The query as parameters of the data and export routes. A single sort key is sent as in the specification. */
export function queryParams(query: TableQuery) {
  const [first, ...more] = query.sorts;
  return {
    ...(first === undefined
      ? {}
      : more.length === 0
        ? { sort_by: first.column, sort_dir: first.dir }
        : { sort: JSON.stringify(query.sorts.map(({ column, dir }) => ({ col: column, dir }))) }),
    ...narrowingParams(query),
  };
}

/** Search and filters as parameters of every table route. */
export function narrowingParams({ search, filters }: TableQuery) {
  return {
    ...(search === '' ? {} : { search }),
    ...(filters.length === 0 ? {} : { filters: JSON.stringify(filters) }),
  };
}

/** The position of a column among the sort keys, from 1, and its direction; null if it is not a key. */
export function sortOf(
  { sorts }: TableQuery,
  column: string,
): { readonly at: number; readonly dir: 'asc' | 'desc' } | null {
  const at = sorts.findIndex((key) => key.column === column);
  return at === -1 ? null : { at: at + 1, dir: sorts[at]?.dir ?? 'asc' };
}

/**
 * The query sorted by a column; null removes the column from the sort keys. `also` keeps the other keys: a new column
 * becomes the last one.
 */
export function withSort(
  query: TableQuery,
  column: string,
  { dir, also }: { readonly dir: 'asc' | 'desc' | null; readonly also: boolean },
): TableQuery {
  if (!also) return { ...query, sorts: dir === null ? [] : [{ column, dir }] };
  const isKey = query.sorts.some((key) => key.column === column);
  if (dir === null) return { ...query, sorts: query.sorts.filter((key) => key.column !== column) };
  const sorts = isKey
    ? query.sorts.map((key) => (key.column === column ? { column, dir } : key))
    : [...query.sorts, { column, dir }];
  return { ...query, sorts };
}

/** The query with the next sort direction of a column: none → ascending → descending → none. */
export function nextSort(query: TableQuery, column: string, also: boolean): TableQuery {
  const dir = sortOf(query, column)?.dir ?? null;
  return withSort(query, column, { dir: dir === null ? 'asc' : dir === 'asc' ? 'desc' : null, also });
}

/** The single plain condition on a column, which the column's header shows and edits; null if there is none. */
export function filterOf(query: TableQuery, column: string): Filter | null {
  return query.filters.find((one): one is Filter => !isAnyOf(one) && one.col === column) ?? null;
}

/** The query with the column's condition replaced by `filter`; null removes it. */
export function withFilter(query: TableQuery, column: string, filter: Filter | null): TableQuery {
  const old = filterOf(query, column);
  const others = query.filters.filter((one) => one !== old);
  return { ...query, filters: filter === null ? others : [...others, filter] };
}

/** The message that explains why there are no rows. */
export function emptyWords(query: TableQuery): string {
  if (!isNarrowed(query)) return TABLE_WORDS.noRows;
  return query.search === '' ? TABLE_WORDS.noMatchFilter : TABLE_WORDS.noMatch;
}
