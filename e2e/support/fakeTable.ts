/** The table routes of a fake server: pages, filters, summaries, groups and exports of tables that are plain values. */

import { ROUTES } from '../../src-shared/wire/routes/all.ts';

export interface FakeTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

interface Filter {
  readonly col: string;
  readonly op: string;
  readonly value?: unknown;
  readonly value2?: unknown;
  readonly values?: readonly unknown[];
}
type Condition = Filter | { readonly any: readonly Filter[] };

/** The data route's answer: filters, search, sort, slice (docs/spec/rest-notebooks.md, 5.3). */
export function pageOf(tables: ReadonlyMap<string, FakeTable>, cellId: string, url: URL): unknown {
  const query = ROUTES.cellData.query.parse(Object.fromEntries(url.searchParams));
  const table = tables.get(cellId);
  const { artifact_uri, offset, limit } = query;
  const base = { cell_id: cellId, artifact_uri, offset, limit };
  if (table === undefined) return { ...base, pageable: false };
  const rows = rowsOf(table, query);
  return {
    ...base,
    pageable: true,
    columns: table.columns,
    rows: rows.slice(offset, offset + limit),
    total: rows.length,
    sort_by: query.sort_by ?? null,
    sort_dir: query.sort_dir,
  };
}

/** The rows of a table that a query selects. */
export function rowsOf(
  table: FakeTable,
  query: {
    readonly search?: string | undefined;
    readonly filters?: string | undefined;
    readonly sort_by?: string | undefined;
    readonly sort_dir?: string | undefined;
    readonly sort?: string | undefined;
  },
): readonly (readonly unknown[])[] {
  const needle = query.search?.toLowerCase() ?? '';
  const filters: Condition[] = query.filters === undefined ? [] : JSON.parse(query.filters);
  const rows = table.rows.filter(
    (row) =>
      filters.every((condition) =>
        ('any' in condition ? condition.any : [condition]).some((filter) =>
          passes(row[table.columns.indexOf(filter.col)], filter),
        ),
      ) &&
      (needle === '' || row.some((value) => String(value).toLowerCase().includes(needle))),
  );
  const keys: { col: string; dir: string }[] =
    query.sort === undefined
      ? [{ col: query.sort_by ?? '', dir: query.sort_dir ?? 'asc' }]
      : JSON.parse(query.sort);
  return keys.toReversed().reduce((sorted, { col, dir }) => {
    const column = table.columns.indexOf(col);
    const sign = dir === 'desc' ? -1 : 1;
    return column === -1 ? sorted : sorted.toSorted((a, b) => sign * compare(a[column], b[column]));
  }, rows);
}

function passes(value: unknown, { op, value: wanted, value2, values }: Filter): boolean {
  switch (op) {
    case 'in':
      return values?.includes(value) ?? true;
    case 'is_null':
      return value === null;
    case 'not_null':
      return value !== null;
    case 'eq':
      return value === wanted;
    case 'ne':
      return value !== wanted;
    case 'gt':
      return compare(value, wanted) > 0;
    case 'ge':
      return compare(value, wanted) >= 0;
    case 'lt':
      return compare(value, wanted) < 0;
    case 'le':
      return compare(value, wanted) <= 0;
    case 'between':
      return compare(value, wanted) >= 0 && compare(value, value2) <= 0;
    case 'contains':
      return String(value).toLowerCase().includes(String(wanted).toLowerCase());
    default:
      return true;
  }
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

/** The summary route's answer, with types derived from the values. */
export function summaryOf(tables: ReadonlyMap<string, FakeTable>, cellId: string, url: URL): unknown {
  const { artifact_uri } = ROUTES.cellSummary.query.parse(Object.fromEntries(url.searchParams));
  const table = tables.get(cellId);
  const base = { cell_id: cellId, artifact_uri };
  if (table === undefined) return { ...base, pageable: false, columns: [], total: 0 };
  const columns = table.columns.map((name, at) => {
    const values = table.rows.map((row) => row[at]).filter((value) => value !== null);
    const dtype = dtypeOf(values);
    const ranged = dtype === 'string' || dtype === 'bool' ? [] : values;
    return {
      name,
      dtype,
      nulls: table.rows.length - values.length,
      distinct: new Set(values).size,
      min: extreme(ranged, -1),
      max: extreme(ranged, 1),
    };
  });
  return { ...base, pageable: true, columns, total: table.rows.length };
}

/** The distribution route's answer: five bins for numbers and times, otherwise one bar per value. */
export function distributionOf(tables: ReadonlyMap<string, FakeTable>, cellId: string, url: URL): unknown {
  const query = ROUTES.cellDistribution.query.parse(Object.fromEntries(url.searchParams));
  const table = tables.get(cellId);
  const base = { cell_id: cellId, artifact_uri: query.artifact_uri };
  if (table === undefined) return { ...base, pageable: false, columns: [], total: 0 };
  const rows = rowsOf(table, query);
  const columns = table.columns.map((name, at) => {
    const values = rows.map((row) => row[at]).filter((value) => value !== null);
    return { name, nulls: rows.length - values.length, spread: spreadOf(values) };
  });
  return { ...base, pageable: true, columns, total: rows.length };
}

/** The column route's answer: counts, the most frequent values, and five bins. */
export function columnOf(tables: ReadonlyMap<string, FakeTable>, cellId: string, url: URL): unknown {
  const query = ROUTES.cellColumn.query.parse(Object.fromEntries(url.searchParams));
  const table = tables.get(cellId);
  const base = { cell_id: cellId, artifact_uri: query.artifact_uri };
  if (table === undefined) return { ...base, pageable: false };
  const rows = rowsOf(table, query);
  const at = table.columns.indexOf(query.column);
  const values = rows.map((row) => row[at]).filter((value) => value !== null);
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const matching = [...counts].filter(([value]) =>
    String(value).toLowerCase().includes(query.find.toLowerCase()),
  );
  const sorted = values.toSorted(compare);
  const numbers = values.filter((value) => typeof value === 'number');
  const sum = numbers.reduce((all, value) => all + value, 0);
  const spread = spreadOf(values);
  const isNumber = numbers.length > 0;
  const column = {
    name: query.column,
    dtype: dtypeOf(values),
    count: values.length,
    nulls: rows.length - values.length,
    nans: 0,
    distinct: counts.size,
    moments: isNumber ? { sum, mean: sum / numbers.length, std: 1 } : null,
    quantiles: isNumber
      ? [0, 0.25, 0.5, 0.75, 1].map((q) => ({ q, value: sorted[Math.floor((sorted.length - 1) * q)] }))
      : [],
    top: matching
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, query.most)
      .map(([value, count]) => ({ value, count })),
    matching: matching.length,
    bins: spread.kind === 'bins' ? spread.bins : null,
  };
  return { ...base, pageable: true, column, total: rows.length };
}

/** The groups route's answer, with the number of rows and the mean as the only measures. */
export function groupsOf(tables: ReadonlyMap<string, FakeTable>, cellId: string, url: URL): unknown {
  const query = ROUTES.cellGroups.query.parse(Object.fromEntries(url.searchParams));
  const table = tables.get(cellId);
  const base = { cell_id: cellId, artifact_uri: query.artifact_uri };
  if (table === undefined) return { ...base, pageable: false };
  const by: string[] = JSON.parse(query.by);
  const measures: { col?: string; agg: string }[] = JSON.parse(query.measures ?? '[]');
  const keyed = Map.groupBy(rowsOf(table, { ...query, sort: undefined }), (row) =>
    JSON.stringify(by.map((name) => row[table.columns.indexOf(name)])),
  );
  const rows = [...keyed].map(([key, group]): unknown[] => [
    ...JSON.parse(key),
    ...measures.map(({ col, agg }) => {
      if (agg === 'rows' || col === undefined) return group.length;
      const numbers = group.map((row) => Number(row[table.columns.indexOf(col)]));
      return numbers.reduce((all, value) => all + value, 0) / numbers.length;
    }),
  ]);
  const { sort = 0, sort_dir, offset, limit } = query;
  const sign = sort_dir === 'desc' ? -1 : 1;
  rows.sort((a, b) => sign * compare(a[sort], b[sort]));
  return {
    ...base,
    pageable: true,
    columns: [...by, ...measures.map(({ col, agg }) => (col === undefined ? 'rows' : `${col} ${agg}`))],
    rows: rows.slice(offset, offset + limit),
    total: rows.length,
    offset,
    limit,
  };
}

const BINS = 5;

type Spread =
  | { readonly kind: 'none' }
  | { readonly kind: 'bins'; readonly bins: readonly unknown[] }
  | { readonly kind: 'values'; readonly values: readonly unknown[]; readonly others: number };

function spreadOf(values: readonly unknown[]): Spread {
  if (values.length === 0) return { kind: 'none' };
  if (dtypeOf(values) === 'double' || dtypeOf(values) === 'timestamp[us]') {
    const sorted = values.toSorted(compare);
    // Each bin has about the same number of values, which is enough for the window.
    const bins = Array.from({ length: BINS }, (_none, at) => {
      const [first, last] = [at, at + 1].map((edge) => Math.floor((sorted.length * edge) / BINS));
      return {
        from: sorted[first ?? 0],
        to: sorted[Math.max(0, (last ?? 1) - 1)],
        count: (last ?? 0) - (first ?? 0),
      };
    });
    return { kind: 'bins', bins };
  }
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size > 12) return { kind: 'none' };
  const common = [...counts].map(([value, count]) => ({ value, count }));
  return { kind: 'values', values: common.sort((a, b) => b.count - a.count), others: 0 };
}

function dtypeOf(values: readonly unknown[]): string {
  if (values.every((value) => typeof value === 'number')) return 'double';
  if (values.every((value) => typeof value === 'boolean')) return 'bool';
  return values.every((value) => /^\d{4}-\d{2}-\d{2}/.test(String(value))) ? 'timestamp[us]' : 'string';
}

function extreme(values: readonly unknown[], sign: 1 | -1): unknown {
  return values.reduce((best, value) => (sign * compare(value, best) > 0 ? value : best), values[0]) ?? null;
}

/** The export route's file in two parts: the header, and the rest. Null if the cell has no table. */
export function exportOf(
  tables: ReadonlyMap<string, FakeTable>,
  cellId: string,
  url: URL,
): { readonly type: string; readonly first: string; readonly rest: string } | null {
  const query = ROUTES.cellExport.query.parse(Object.fromEntries(url.searchParams));
  const table = tables.get(cellId);
  if (table === undefined) return null;
  const lines = rowsOf(table, query).map((row) => `${row.join(',')}\n`);
  return { type: 'text/csv', first: `${table.columns.join(',')}\n`, rest: lines.join('') };
}
