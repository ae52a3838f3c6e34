/** Summarizes all columns of a table for the data viewer, large tables with the help of a second thread. */

import type { Table } from '../columns/readTable.ts';
import type { IndexedSummary, Lender } from './loan.ts';
import { type ColumnSummary, summarize } from './summary.ts';

/**
 * The number of values from which a second thread is worth its start; with fewer, the first thread would be done
 * before.
 */
const WORTH_LENDING = 500_000;

/** Whether a table is large enough to use the second thread for its summary. */
export function isWorthLending({ columns, rows }: Table): boolean {
  return rows * columns.length >= WORTH_LENDING && columns.length > 1;
}

/**
 * Summarizes every column of a table. For a large one, the second thread takes a share; if it fails, this thread does
 * all.
 */
export async function summarizeAll(table: Table, second: Lender | null): Promise<ColumnSummary[]> {
  const { columns } = table;
  const loan = second !== null && isWorthLending(table) ? second.lend(table) : null;
  const next = new SharedArrayBuffer(4);
  const theirs = loan?.summarize(next).catch((): readonly IndexedSummary[] => []) ?? [];
  const mine = summarizeShare(table, new Int32Array(next));
  const summaries = new Map([...mine, ...(await theirs)]);
  loan?.give();
  return columns.map((column, at) => summaries.get(at) ?? summarize(column));
}

/** Summarizes columns until none is left: each thread takes the next column from the counter in `next`. */
export function summarizeShare({ columns }: Table, next: Int32Array): IndexedSummary[] {
  const results: IndexedSummary[] = [];
  for (;;) {
    const at = Atomics.add(next, 0, 1);
    const column = columns[at];
    if (column === undefined) return results;
    results.push([at, summarize(column)]);
  }
}
