/** Reads the rows of a planned scan from its Parquet files, as a stream of Arrow batches. */

import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { RecordBatch, Schema } from 'apache-arrow';
import { schemaOf } from '../../sql/arrow/arrowTypeOf.ts';
import type { Column } from '../../sql/columnType.ts';
import { PendingBatch } from '../../sql/duckdb/pendingBatch.ts';
import type { ScanPlan } from '../plan/planScan.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { DeleteTables } from './deleteTables.ts';
import { outputType } from './outputType.ts';
import { readFailure } from './readFailure.ts';
import { ScanSession } from './scanSession.ts';
import { taskSql } from './taskSql.ts';

/** The matching rows of a scan, in the order of their files. */
export interface Scan {
  readonly schema: Schema;
  /** Made on demand: a slow reader slows down the scan. */
  readonly batches: AsyncIterable<RecordBatch | EncodedRows>;
}

/**
 * Batches, or parts of them, as bytes of a stream with the schema of the scan; the remaining parts follow
 * directly.
 */
export interface EncodedRows {
  readonly bytes: Uint8Array;
  /** The first part has the number of all rows, the other parts have 0. */
  readonly numRows: number;
}

interface Reading {
  readonly files: TableFiles;
  readonly signal: AbortSignal;
  /** Rows of a batch (SVC_BATCH_SIZE). */
  readonly batchRows: number;
}

/** Reads a planned scan. Errors are thrown by the iteration. */
export function readScan(
  plan: ScanPlan,
  reading: Reading,
): Scan & { readonly batches: AsyncIterable<RecordBatch> } {
  const columns = plan.columns.map(({ name, type }): Column => ({ name, type: outputType(type, 'table') }));
  const schema = schemaOf(columns);
  return { schema, batches: batches(plan, schema, reading) };
}

async function* batches(plan: ScanPlan, schema: Schema, reading: Reading): AsyncGenerator<RecordBatch> {
  const pending = new PendingBatch({
    read: plan.columns.map(({ name, type }) => ({ name, type: outputType(type, 'duckdb') })),
    types: plan.columns.map(({ type }) => outputType(type, 'table')),
    schema,
    mostRows: reading.batchRows,
  });
  yield* fromChunks(plan, reading, (chunk) => pending.fill(chunk));
  reading.signal.throwIfAborted();
  if (pending.rows > 0) yield pending.take();
}

/** Converts the rows of a scan chunk by chunk. If the reader stops, the scan ends. */
export async function* fromChunks<T>(
  plan: ScanPlan,
  { files, signal }: Pick<Reading, 'files' | 'signal'>,
  make: (chunk: DuckDBDataChunk) => Iterable<T>,
): AsyncGenerator<T> {
  if (plan.tasks.length === 0) return;
  const session = await ScanSession.open();
  try {
    const deletes = new DeleteTables({ session, files, table: plan.table, signal });
    for (const task of plan.tasks) {
      signal.throwIfAborted();
      const local = await files.local(task.file.path, signal);
      try {
        const sql = await taskSql(plan, task, { path: local.path, session, deletes, signal });
        const result = await session.stream(sql, signal);
        for (;;) {
          const chunk = await session.next(result, signal);
          if (chunk === null || chunk.rowCount === 0) break;
          for (const item of make(chunk)) {
            // One chunk may produce several results.
            signal.throwIfAborted();
            yield item;
          }
        }
      } catch (error) {
        throw readFailure(error, task.file.path, signal);
      } finally {
        await local.release();
      }
    }
  } finally {
    session.close();
  }
}
