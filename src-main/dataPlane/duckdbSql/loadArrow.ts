/** Loads an input of a `duckdb_sql@v1` transform into DuckDB. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { RecordBatch, Schema } from 'apache-arrow';
import { appendBatch, columnsOf } from '../../sql/duckdb/frameTable.ts';
import { quotedName } from '../../sql/duckdb/quoted.ts';

/**
 * Creates a table from Arrow batches. Other work of the server can run between batches.
 * @throws SqlError for a column that DuckDB has no type for
 */
export async function loadArrow(
  connection: DuckDBConnection,
  name: string,
  {
    schema,
    batches,
    signal,
  }: {
    readonly schema: Schema;
    readonly batches: AsyncIterable<RecordBatch>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const columns = columnsOf(name, schema);
  const listed = columns.map((column) => `${quotedName(column.name)} ${column.type.toString()}`).join(', ');
  await connection.run(`CREATE TABLE ${quotedName(name)} (${listed})`);
  const appender = await connection.createAppender(name);
  try {
    for await (const batch of batches) {
      // A batch of another program may have a million rows.
      for (let from = 0; from < batch.numRows; from += PIECE_ROWS) {
        signal.throwIfAborted();
        const piece = batch.numRows <= PIECE_ROWS ? batch : batch.slice(from, from + PIECE_ROWS);
        appendBatch(piece, columns, (chunk) => appender.appendDataChunk(chunk));
        await nextTurn();
      }
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

const PIECE_ROWS = 16_384;
