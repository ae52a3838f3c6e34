import { keepLatest } from '../../lib/keepLatest.ts';
import { type Column, valueAt } from '../columns/column.ts';
import { type ReadTable, readTable, type Table } from '../columns/readTable.ts';
import { compileFilter, type Filter } from '../query/filterRows.ts';
import { sortRows } from '../query/sortRows.ts';
import { searchColumn } from '../query/textSearch.ts';
import { spreadOf } from '../summary/spread.ts';
import { isWorthLending, summarizeAll } from '../summary/summarizeAll.ts';
import type { SecondThread } from './secondThread.ts';
import type { Page, PageQuery, Spreads, Summary, TableFile, ViewQuery } from './tableQuery.ts';

/** Orders and selections kept per table; a viewer goes back and forth between a few. */
const KEPT_ORDERS = 8;

interface Entry {
  readonly read: ReadTable;
  /** Row numbers of a filtered, searched and sorted view, least recently used first; null = all in order. */
  readonly orders: Map<string, Uint32Array | null>;
  summary: Summary | null;
  /** Of all rows. */
  spreads: Spreads | null;
}

/**
 * The open tables of the table thread, by digest, least recently used first. What they hold (the file's copy, derived
 * text and keys, orders) is kept under `maxBytes`; a single table larger than that is still opened, alone.
 */
export class TableCache {
  readonly #maxBytes: number;
  readonly #second: SecondThread | null;
  readonly #entries = new Map<string, Entry>();

  /** `second` takes a share of what takes long; null: this thread is alone. */
  constructor(maxBytes: number, second: SecondThread | null = null) {
    this.#maxBytes = maxBytes;
    this.#second = second;
  }

  page(query: PageQuery): Page {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return { pageable: false, reason: entry.read.reason };
    const { table } = entry.read;
    const sortColumn = findColumn(table, query.sortBy);
    const direction = directionOf(query);
    const order = viewOf(entry, table, { query, sortColumn, direction });
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
      sort_by: sortColumn?.name ?? null,
      sort_dir: direction,
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

  /** Of the rows a query leaves, in whatever order. */
  spreads(query: ViewQuery): Spreads {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return { pageable: false, reason: entry.read.reason };
    const { table } = entry.read;
    const rows = viewOf(entry, table, { query, sortColumn: null, direction: 'asc' });
    const known = rows === null ? entry.spreads : null;
    const found = known ?? {
      pageable: true,
      columns: table.columns.map((column) => spreadOf(column, rows)),
      total: rows?.length ?? table.rows,
    };
    if (rows === null) entry.spreads = found;
    this.#evict(query.sha256);
    return found;
  }

  /** The rows a query asks for; the caller holds the table for as long as it reads from it. */
  view(
    query: ViewQuery,
  ):
    | { readonly kind: 'view'; readonly table: Table; readonly order: Uint32Array | null }
    | { readonly kind: 'other'; readonly reason: string } {
    const entry = this.#open(query);
    if (entry.read.kind === 'other') return entry.read;
    const { table } = entry.read;
    const sortColumn = findColumn(table, query.sortBy);
    const order = viewOf(entry, table, { query, sortColumn, direction: directionOf(query) });
    this.#evict(query.sha256);
    return { kind: 'view', table, order };
  }

  #open({ path, sha256 }: TableFile): Entry {
    const known = this.#entries.get(sha256);
    const entry: Entry = known ?? { read: readTable(path), orders: new Map(), summary: null, spreads: null };
    this.#entries.delete(sha256);
    this.#entries.set(sha256, entry);
    // Who looks at a page mostly asks what its columns hold next.
    if (known === undefined && entry.read.kind === 'table' && isWorthLending(entry.read.table))
      this.#second?.warm();
    return entry;
  }

  /** Drops other tables first, then what can be made again of the one in use. */
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

function directionOf({ sortDir }: ViewQuery): 'asc' | 'desc' {
  return sortDir === 'desc' ? 'desc' : 'asc';
}

/** By the name shown, else by the name stored. */
function findColumn(table: Table, name: unknown): Column | null {
  if (typeof name !== 'string') return null;
  const shown = table.columns.find((column) => column.name === name);
  return shown ?? table.columns.find((column) => column.fieldName === name) ?? null;
}

interface View {
  readonly query: ViewQuery;
  readonly sortColumn: Column | null;
  readonly direction: 'asc' | 'desc';
}

/** Filters, then search, then sort (values 3), each result kept. Null = every row as stored. */
function viewOf(entry: Entry, table: Table, { query, sortColumn, direction }: View): Uint32Array | null {
  const filters = query.filters ?? [];
  const search = query.search ?? '';
  const filterKey = JSON.stringify([filters, search]);
  const select = () => keep(entry, filterKey, () => selectRows(table, filters, search));
  if (sortColumn === null) return select();
  const key = JSON.stringify([filters, search, table.columns.indexOf(sortColumn), direction]);
  return keep(entry, key, () => sortRows(sortColumn, select(), direction));
}

function keep({ orders }: Entry, key: string, compute: () => Uint32Array | null): Uint32Array | null {
  const known = orders.get(key);
  const order = known === undefined ? compute() : known;
  keepLatest(orders, [key, order], KEPT_ORDERS);
  return order;
}

function selectRows(table: Table, filters: readonly Filter[], search: string): Uint32Array | null {
  const predicates = filters.flatMap((filter) => {
    if (typeof filter !== 'object' || filter === null) return [];
    const column = findColumn(table, filter.col);
    return (column === null ? null : compileFilter(column, filter)) ?? [];
  });
  if (predicates.length === 0 && search === '') return null;
  const mask = new Uint8Array(table.rows).fill(1);
  for (const predicate of predicates) predicate(mask);
  if (search !== '') {
    const hits = new Uint8Array(table.rows);
    for (const column of table.columns) searchColumn(column, search, hits);
    for (let row = 0; row < mask.length; row += 1) mask[row] = (mask[row] ?? 0) & (hits[row] ?? 0);
  }
  return rowsOf(mask);
}

function rowsOf(mask: Uint8Array): Uint32Array {
  let all = 0;
  for (let row = 0; row < mask.length; row += 1) all += mask[row] as number; // below its length
  // One more, for the row after the last is written too.
  const rows = new Uint32Array(all + 1);
  let count = 0;
  for (let row = 0; row < mask.length; row += 1) {
    // Written always, kept only when set: no branch to guess.
    rows[count] = row;
    count += mask[row] as number; // below its length
  }
  return rows.subarray(0, count);
}

function rowsAt(
  table: Table,
  order: Uint32Array | null,
  { from, to }: { readonly from: number; readonly to: number },
): ReturnType<typeof valueAt>[][] {
  const rows = Array.from({ length: Math.max(0, to - from) }, (): ReturnType<typeof valueAt>[] => []);
  // Column by column: what is near in memory is read together.
  for (const column of table.columns) {
    for (const [n, row] of rows.entries())
      row.push(valueAt(column, order === null ? from + n : (order[from + n] ?? 0)));
  }
  return rows;
}
