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
}

/** The data route's answer for a table that is plain values: filters, search, sort, slice (rest-notebooks 5.3). */
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

/** The rows of a table as a query asks for them. */
export function rowsOf(
  table: FakeTable,
  query: {
    readonly search?: string | undefined;
    readonly filters?: string | undefined;
    readonly sort_by?: string | undefined;
    readonly sort_dir?: string | undefined;
  },
): readonly (readonly unknown[])[] {
  const needle = query.search?.toLowerCase() ?? '';
  const filters: Filter[] = query.filters === undefined ? [] : JSON.parse(query.filters);
  const rows = table.rows.filter(
    (row) =>
      filters.every((filter) => passes(row[table.columns.indexOf(filter.col)], filter)) &&
      (needle === '' || row.some((value) => String(value).toLowerCase().includes(needle))),
  );
  const column = table.columns.indexOf(query.sort_by ?? '');
  if (column === -1) return rows;
  const sign = query.sort_dir === 'desc' ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(a[column], b[column]));
}

function passes(value: unknown, { op, value: wanted, value2 }: Filter): boolean {
  switch (op) {
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

/** The summary route's answer: types by the values there are. */
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

/** The distribution route's answer: five bins of numbers and times, and every other value by itself. */
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

const BINS = 5;

function spreadOf(values: readonly unknown[]): unknown {
  if (values.length === 0) return { kind: 'none' };
  if (dtypeOf(values) === 'double' || dtypeOf(values) === 'timestamp[us]') {
    const sorted = values.toSorted(compare);
    // Of as many values each: enough for what the window does with them.
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

/** The export route's file in two parts: a header and what follows. Null for what is no table. */
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
