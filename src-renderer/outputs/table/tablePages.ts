/** Cache of the pages of a table, which are fetched from the server while the user scrolls. */

import type { Row, TablePage } from './tablePage.ts';

/** The most values per request: a page of a wide table has fewer rows. */
const PAGE_VALUES = 20_000;
const MAX_ROWS = 500;
const MIN_ROWS = 20;
const KEPT_PAGES = 60;
const AT_ONCE = 2;

export type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<TablePage>;

/**
 * The rows of one answer of the server, fetched in pages as they become visible, with a cache that evicts the least
 * recently seen. Requests for pages that are no longer visible are cancelled. `close()` cancels all.
 */
export class TablePages {
  readonly pageRows: number;
  readonly #fetch: FetchPage;
  readonly #changed: (problem: unknown) => void;
  /** Rows by page number, in the order in which the pages were last visible. */
  readonly #pages = new Map<number, readonly Row[]>();
  readonly #running = new Map<number, AbortController>();
  #wanted: number[] = [];
  #closed = false;

  constructor(columns: number, fetch: FetchPage, changed: (problem: unknown) => void) {
    this.pageRows = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(PAGE_VALUES / Math.max(1, columns))));
    this.#fetch = fetch;
    this.#changed = changed;
  }

  close(): void {
    this.#closed = true;
    for (const request of this.#running.values()) request.abort();
  }

  /** A row; null while it is loading. */
  row(index: number): Row | null {
    const page = Math.floor(index / this.pageRows);
    return this.#pages.get(page)?.[index - page * this.pageRows] ?? null;
  }

  /** Sets the visible rows; requests the missing pages, and one page beyond in both directions. */
  see(first: number, end: number, total: number): void {
    const from = Math.floor(first / this.pageRows);
    const to = Math.floor(Math.max(first, end - 1) / this.pageRows);
    const last = Math.floor(Math.max(0, total - 1) / this.pageRows);
    const pageNumbers = Array.from({ length: to - from + 1 }, (_none, at) => from + at);
    for (const page of pageNumbers) this.#touch(page);
    this.#wanted = [...pageNumbers, to + 1, from - 1].filter((page) => page >= 0 && page <= last);
    for (const [page, request] of this.#running) if (!this.#wanted.includes(page)) request.abort();
    this.#goOn();
  }

  /** All rows from `first` to before `end`; missing ones are fetched. */
  async rows(first: number, end: number, signal: AbortSignal): Promise<Row[]> {
    const rows: Row[] = [];
    for (let at = first; at < end; ) {
      const cached = this.row(at);
      if (cached !== null) {
        rows.push(cached);
        at += 1;
        continue;
      }
      const page = await this.#fetch(at, Math.min(MAX_ROWS, end - at), signal);
      if (page.rows.length === 0) break;
      rows.push(...page.rows);
      at += page.rows.length;
    }
    return rows;
  }

  #touch(page: number): void {
    const rows = this.#pages.get(page);
    if (rows === undefined) return;
    this.#pages.delete(page);
    this.#pages.set(page, rows);
  }

  #goOn(): void {
    for (const page of this.#wanted) {
      if (this.#running.size >= AT_ONCE) return;
      if (!this.#pages.has(page) && !this.#running.has(page)) void this.#load(page);
    }
  }

  async #load(page: number): Promise<void> {
    const request = new AbortController();
    this.#running.set(page, request);
    try {
      const answer = await this.#fetch(page * this.pageRows, this.pageRows, request.signal);
      this.#pages.set(page, answer.rows);
      for (const old of this.#pages.keys()) {
        if (this.#pages.size <= KEPT_PAGES) break;
        if (!this.#wanted.includes(old)) this.#pages.delete(old);
      }
      if (!this.#closed) this.#changed(null);
    } catch (problem) {
      // A request cancelled by scrolling is not a failure; others are reported, and retried when the page is visible
      // again.
      if (!request.signal.aborted && !this.#closed) {
        this.#wanted = this.#wanted.filter((one) => one !== page);
        this.#changed(problem);
      }
    } finally {
      this.#running.delete(page);
      if (!this.#closed) this.#goOn();
    }
  }
}
