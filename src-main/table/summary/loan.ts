/**
 * The interface of the second table thread, as the first one sees it: it lends a table, and the other thread takes a
 * share of the work.
 */

import type { Table } from '../columns/readTable.ts';
import type { ColumnSummary } from './summary.ts';

/** One column's summary, by the column's index in its table. */
export type IndexedSummary = readonly [column: number, summary: ColumnSummary];

/**
 * Rows of a CSV, without a header. `reached`: the row after the last one that was written, if the piece was full before
 * `to`.
 */
export interface CsvPart {
  readonly bytes: Uint8Array;
  readonly reached: number;
}

/** A table lent to the second thread; `give` ends the loan. */
export interface Loan {
  /** Takes columns one by one from the counter in `next`, until none is left. */
  summarize(next: SharedArrayBuffer): Promise<readonly IndexedSummary[]>;
  csv(rows: {
    readonly order: SharedArrayBuffer | null;
    readonly from: number;
    readonly to: number;
    readonly into: SharedArrayBuffer | null;
  }): Promise<CsvPart>;
  give(): void;
}

/** Lends tables to another thread. */
export interface Lender {
  lend(table: Table): Loan;
}
