import type { Table } from '../columns/readTable.ts';
import type { ColumnFound, SecondThread } from '../service/secondThread.ts';
import { type ColumnSummary, summarize } from './summary.ts';

/** Below so many values the second thread would still be starting when the first is done. */
const WORTH_LENDING = 500_000;

/** Whether a table takes so long that the second thread is wanted for its summary. */
export function isWorthLending({ columns, rows }: Table): boolean {
  return rows * columns.length >= WORTH_LENDING && columns.length > 1;
}

/** Every column of a table. Of a large one the second thread takes its share; where it fails, this one does all. */
export async function summarizeAll(table: Table, second: SecondThread | null): Promise<ColumnSummary[]> {
  const { columns } = table;
  const loan = second !== null && isWorthLending(table) ? second.lend(table) : null;
  const next = new SharedArrayBuffer(4);
  const theirs = loan?.summarize(next).catch((): readonly ColumnFound[] => []) ?? [];
  const mine = summarizeShare(table, new Int32Array(next));
  const found = new Map([...mine, ...(await theirs)]);
  loan?.give();
  return columns.map((column, at) => found.get(at) ?? summarize(column));
}

/**
 * The columns of a table that nobody else has taken: each thread at it takes the next one from the count in `next`,
 * until none is left.
 */
export function summarizeShare({ columns }: Table, next: Int32Array): ColumnFound[] {
  const found: ColumnFound[] = [];
  for (;;) {
    const at = Atomics.add(next, 0, 1);
    const column = columns[at];
    if (column === undefined) return found;
    found.push([at, summarize(column)]);
  }
}
