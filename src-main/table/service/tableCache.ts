/** The open tables of the table thread, with their cached orders and summaries. */

import { keepLatest } from '../../lib/keepLatest.ts';
import { type Column, valueAt } from '../columns/column.ts';
import { type ReadTable, readTable, type Table } from '../columns/readTable.ts';
import { columnFacts } from '../facts/columnFacts.ts';
import { groupRows } from '../facts/groupRows.ts';
import { findColumn, orderRows, type SortKey, selectRows } from '../query/selectRows.ts';
import { distributionOf } from '../summary/distribution.ts';
import { isWorthLending, summarizeAll } from '../summary/summarizeAll.ts';
import type { SecondThread } from './secondThread.ts';
import type {
  ColumnAnswer,
  ColumnQuery,
  Distributions,
  GroupsAnswer,
  GroupsQuery,
  Page,
  PageQuery,
  Summary,
  TableFile,
  ViewQuery,
} from './tableQuery.ts';

/** Orders and selections that are cached per table; a viewer alternates between a few. */
const KEPT_ORDERS = 8;

interface Entry {
  readonly read: ReadTable;
  /** Row numbers of a filtered, searched and sorted view, least recently used first; null = all in stored order. */
  readonly orders: Map<string, Uint32Array | null>;
  summary: Summary | null;
  /** The distributions of all rows, once computed. */
  distributions: Distributions | null;
}

/**
 * The open tables of the table thread, by digest, least recently used first. Their memory (the file's copy, derived
 * text and keys, orders) is limited to `maxBytes`; a single larger table is still opened, alone.
 */
export class TableCache {
  readonly #maxBytes: number;
  readonly #second: SecondThread | null;
  readonly #entries = new Map<string, Entry>();

  /** `second` takes a share of long work; null: this thread works alone. */
  constructor(maxBytes: number, second: SecondThread | null = null) {
    this.#maxBytes = maxBytes;
    this.#second = second;
  }

  page(query: PageQuery): Page {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return { pageable: false, reason: entry.read.reason };
    const { table } = entry.read;
    const keys = sortKeysOf(table, query);
    const order = viewOf(entry, table, { query, keys });
    const total = order?.length ?? table.rows;
    const offset = Math.max(0, Math.floor(query.offset));
    const limit = Math.max(0, Math.floor(query.limit));
    const rows = rowsAt(table, order, { from: offset, to: Math.min(total, offset + limit) });
    this.#evict(query.sha256);
    return {
      pageable: true,
      columns: table.columns.map((column) => column.name),
      rows,
      total,
      offset,
      limit,
      sort_by: keys[0]?.column.name ?? null,
      sort_dir: keys[0]?.direction ?? directionOf(query.sortDir),
      ...(query.sorts == null
        ? {}
        : { sort: keys.map(({ column, direction }) => ({ col: column.name, dir: direction })) }),
    };
  }

  async summary(query: TableFile): Promise<Summary> {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return { pageable: false, reason: entry.read.reason };
    const { table } = entry.read;
    entry.summary ??= {
      pageable: true,
      columns: await summarizeAll(table, this.#second),
      total: table.rows,
    };
    this.#evict(query.sha256);
    return entry.summary;
  }

  /** The distributions of the rows of a query, whatever their order. */
  distributions(query: ViewQuery): Distributions {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return { pageable: false, reason: entry.read.reason };
    const { table } = entry.read;
    const rows = viewOf(entry, table, { query, keys: [] });
    const cachedDistributions = rows === null ? entry.distributions : null;
    const distributions = cachedDistributions ?? {
      pageable: true,
      columns: table.columns.map((column) => distributionOf(column, rows)),
      total: rows?.length ?? table.rows,
    };
    if (rows === null) entry.distributions = distributions;
    this.#evict(query.sha256);
    return distributions;
  }

  /** The viewer's statistics of one column, over the rows of a query. */
  column(query: ColumnQuery): ColumnAnswer {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return { pageable: false, reason: entry.read.reason };
    const { table } = entry.read;
    const rows = viewOf(entry, table, { query, keys: [] });
    const column = findColumn(table, query.column);
    const facts = column === null ? null : columnFacts(column, rows, query);
    this.#evict(query.sha256);
    return { pageable: true, column: facts, total: rows?.length ?? table.rows };
  }

  /** Computed for each page: groups are few, and mostly fit on one. */
  groups(query: GroupsQuery): GroupsAnswer {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return { pageable: false, reason: entry.read.reason };
    const { table } = entry.read;
    const groups = groupRows(table, viewOf(entry, table, { query, keys: [] }), query);
    this.#evict(query.sha256);
    if (groups.kind === 'refused') return { pageable: 'refused', reason: groups.reason };
    const { columns, rows } = groups;
    const end = query.offset + query.limit;
    return { pageable: true, columns, rows: rows.slice(query.offset, end), total: rows.length };
  }

  /** The rows of a query; the caller holds the table while it reads from it. */
  view(
    query: ViewQuery,
  ):
    | { readonly kind: 'view'; readonly table: Table; readonly order: Uint32Array | null }
    | { readonly kind: 'other'; readonly reason: string } {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return entry.read;
    const { table } = entry.read;
    const order = viewOf(entry, table, { query, keys: sortKeysOf(table, query) });
    this.#evict(query.sha256);
    return { kind: 'view', table, order };
  }

  #open({ path, sha256 }: TableFile): Entry {
    const cachedEntry = this.#entries.get(sha256);
    const entry: Entry = cachedEntry ?? {
      read: readTable(path),
      orders: new Map(),
      summary: null,
      distributions: null,
    };
    this.#entries.delete(sha256);
    this.#entries.set(sha256, entry);
    // After a page, a viewer mostly requests the column summaries.
    if (cachedEntry === undefined && entry.read.kind === 'table' && isWorthLending(entry.read.table))
      this.#second?.warm();
    return entry;
  }

  /** Drops other tables first, then derived data of the one in use. */
  #evict(inUse: string): void {
    let bytes = 0;
    for (const entry of this.#entries.values()) bytes += bytesOf(entry);
    for (const [sha256, entry] of this.#entries) {
      if (bytes <= this.#maxBytes) return;
      bytes -= bytesOf(entry);
      if (sha256 !== inUse) {
        this.#entries.delete(sha256);
        continue;
      }
      entry.orders.clear();
      if (entry.read.kind === 'table') for (const { derived } of entry.read.table.columns) forget(derived);
    }
  }
}

function forget(derived: Column['derived']): void {
  derived.kept.clear();
  derived.bytes = 0;
}

function bytesOf({ read, orders }: Entry): number {
  if (read.kind === 'other') return 0;
  let bytes = read.table.memory.byteLength;
  for (const { derived } of read.table.columns) bytes += derived.bytes;
  for (const order of orders.values()) bytes += order?.byteLength ?? 0;
  return bytes;
}

function directionOf(dir: unknown): 'asc' | 'desc' {
  return dir === 'desc' ? 'desc' : 'asc';
}

/** Unknown columns are skipped, and so are repeated mentions of a column. */
function sortKeysOf(table: Table, { sorts, sortBy, sortDir }: ViewQuery): readonly SortKey[] {
  const sortList = sorts ?? [{ col: sortBy, dir: sortDir }];
  const keys = sortList.flatMap(({ col, dir }) => {
    const column = findColumn(table, col);
    return column === null ? [] : [{ column, direction: directionOf(dir) }];
  });
  return keys.filter(({ column }, at) => keys.findIndex((key) => key.column === column) === at);
}

interface View {
  readonly query: ViewQuery;
  readonly keys: readonly SortKey[];
}

/**
 * The rows of a view: filters, then search, then sort (docs/spec/values.md, 3), each result cached. Null = every row in
 * stored order.
 */
function viewOf(entry: Entry, table: Table, { query, keys }: View): Uint32Array | null {
  const filters = query.filters ?? [];
  const search = query.search ?? '';
  const filterKey = JSON.stringify([filters, search]);
  const select = () => keep(entry, filterKey, () => selectRows(table, filters, search));
  if (keys.length === 0) return select();
  const places = keys.map(({ column, direction }) => [table.columns.indexOf(column), direction]);
  return keep(entry, JSON.stringify([filters, search, places]), () => orderRows(keys, select()));
}

function keep({ orders }: Entry, key: string, compute: () => Uint32Array | null): Uint32Array | null {
  const cached = orders.get(key);
  const order = cached === undefined ? compute() : cached;
  keepLatest(orders, [key, order], KEPT_ORDERS);
  return order;
}

function rowsAt(
  table: Table,
  order: Uint32Array | null,
  { from, to }: { readonly from: number; readonly to: number },
): ReturnType<typeof valueAt>[][] {
  const rows = Array.from({ length: Math.max(0, to - from) }, (): ReturnType<typeof valueAt>[] => []);
  // Column by column, so that memory is read in order.
  for (const column of table.columns) {
    for (const [n, row] of rows.entries())
      row.push(valueAt(column, order === null ? from + n : (order[from + n] ?? 0)));
  }
  return rows;
}
