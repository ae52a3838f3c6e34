/** Runs a reading SQL cell on Snowflake and fetches the batches of its result. */

import type { Connection, RowStatement } from 'snowflake-sdk';
import type { Column, Row } from '../columnType.ts';
import type { ResultStream } from '../driver.ts';
import { type Execution, execute } from './execute.ts';
import { snowflakeError } from './snowflakeError.ts';
import { columnOf, readerOf } from './types.ts';

/** Rows per batch. */
const PIECE_ROWS = 4_096;

type Rows = AsyncIterator<readonly unknown[]>;

/** Runs one query; its chunks are fetched as rows are read. Ending the iteration stops the fetching. */
export async function readStatement(
  connection: Connection,
  execution: Execution,
  signal: AbortSignal,
): Promise<ResultStream> {
  const statement = await execute(connection, execution, signal);
  const stream = statement.streamRows();
  const stop = () => {
    statement.cancel(() => {});
    stream.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  const rows = (stream as AsyncIterable<readonly unknown[]>)[Symbol.asyncIterator]();
  const finish = () => {
    signal.removeEventListener('abort', stop);
    stream.destroy();
  };
  try {
    const next = () => piece(rows, { signal, sql: execution.sql });
    const first = await next();
    const columns = columnsOf(statement, first);
    return { columns, batches: batchesOf({ columns, first, next, finish }) };
  } catch (error) {
    finish();
    throw error;
  }
}

function columnsOf(statement: RowStatement, first: readonly (readonly unknown[])[]): readonly Column[] {
  return (statement.getColumns() ?? []).map((column, at) =>
    columnOf(
      column,
      first.map((row) => row[at] ?? null),
    ),
  );
}

async function piece(
  rows: Rows,
  { signal, sql }: { signal: AbortSignal; sql: string },
): Promise<readonly (readonly unknown[])[]> {
  const batch: (readonly unknown[])[] = [];
  try {
    while (batch.length < PIECE_ROWS) {
      const { done, value } = await rows.next();
      if (done === true) break;
      batch.push(value);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw snowflakeError(error, sql);
  }
  signal.throwIfAborted();
  return batch;
}

interface Open {
  readonly columns: readonly Column[];
  readonly first: readonly (readonly unknown[])[];
  readonly next: () => Promise<readonly (readonly unknown[])[]>;
  readonly finish: () => void;
}

async function* batchesOf({ columns, first, next, finish }: Open): AsyncIterable<readonly Row[]> {
  const readers = columns.map(readerOf);
  try {
    for (let rows = first; rows.length > 0; rows = await next()) {
      yield rows.map((row) => readers.map((read, at) => read(row[at])));
      if (rows.length < PIECE_ROWS) break;
    }
  } finally {
    finish();
  }
}
