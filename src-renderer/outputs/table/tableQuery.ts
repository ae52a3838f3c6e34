import { TABLE_WORDS } from '../../words/table.ts';

/** The operators of the data route (rest-notebooks 5.3). */
export const OPERATORS = [
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'between',
  'contains',
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
}

/** What of a table is asked for, apart from the place in the answer. */
export interface TableQuery {
  readonly sort: { readonly column: string; readonly dir: 'asc' | 'desc' } | null;
  readonly search: string;
  /** At most one a column. */
  readonly filters: readonly Filter[];
}

export const plainQuery: TableQuery = { sort: null, search: '', filters: [] };

/** Whether the rows are the result's own, in its own order. */
export function isPlain(query: TableQuery): boolean {
  return query.sort === null && !isNarrowed(query);
}

/** Whether rows may be left out. */
export function isNarrowed(query: TableQuery): boolean {
  return query.search !== '' || query.filters.length > 0;
}

/** The query as the data and export routes take it. */
export function queryParams(query: TableQuery) {
  return {
    ...(query.sort === null ? {} : { sort_by: query.sort.column, sort_dir: query.sort.dir }),
    ...(query.search === '' ? {} : { search: query.search }),
    ...(query.filters.length === 0 ? {} : { filters: JSON.stringify(query.filters) }),
  };
}

/** none → ascending → descending → none. */
export function nextSort(query: TableQuery, column: string): TableQuery {
  const dir = query.sort?.column === column ? query.sort.dir : null;
  if (dir === 'desc') return { ...query, sort: null };
  return { ...query, sort: { column, dir: dir === null ? 'asc' : 'desc' } };
}

/** The query with `filter` in the place of the column's present one; null takes it away. */
export function withFilter(query: TableQuery, column: string, filter: Filter | null): TableQuery {
  const others = query.filters.filter((one) => one.col !== column);
  return { ...query, filters: filter === null ? others : [...others, filter] };
}

/** Why there is no row. */
export function emptyWords(query: TableQuery): string {
  if (!isNarrowed(query)) return TABLE_WORDS.noRows;
  return query.search === '' ? TABLE_WORDS.noMatchFilter : TABLE_WORDS.noMatch;
}
