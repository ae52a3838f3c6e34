import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import { schemaOf } from '../../sql/arrow/arrowTypeOf.ts';
import { type ColumnBuilder, columnBuilder } from '../../sql/arrow/columnBuilder.ts';
import type { Column } from '../../sql/columnType.ts';
import { batchOf } from '../../sql/duckdb/batch.ts';
import type { ScanPlan } from '../plan/planScan.ts';
import type { TableFiles } from '../storage/tableFiles.ts';
import { DeleteTables } from './deleteTables.ts';
import { outputType } from './outputType.ts';
import { readFailure } from './readFailure.ts';
import { ScanSession } from './scanSession.ts';
import { taskSql } from './taskSql.ts';

/** The rows of a scan, exactly those that match, in the order of their files. */
export interface Scan {
  readonly schema: Schema;
  /** Made while they are read: a reader that waits makes the scan wait. */
  readonly batches: AsyncIterable<RecordBatch>;
}

interface Reading {
  readonly files: TableFiles;
  readonly signal: AbortSignal;
  /** Rows of a batch (SVC_BATCH_SIZE). */
  readonly batchRows: number;
}

/** A batch is given out early when its values take so much memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Reads what was planned. Errors come from the iteration. */
export function readScan(plan: ScanPlan, reading: Reading): Scan {
  const columns = plan.columns.map(({ name, type }): Column => ({ name, type: outputType(type, 'table') }));
  const schema = schemaOf(columns);
  return { schema, batches: batches(plan, schema, reading) };
}

async function* batches(plan: ScanPlan, schema: Schema, reading: Reading): AsyncGenerator<RecordBatch> {
  const { files, signal } = reading;
  const pending = new PendingRows(plan, schema, reading.batchRows);
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
          pending.add(batchOf(chunk, pending.read));
          if (pending.isFull) yield pending.take();
        }
      } catch (error) {
        throw readFailure(error, task.file.path, signal);
      } finally {
        await local.release();
      }
    }
    if (pending.rows > 0) yield pending.take();
  } finally {
    session.close();
  }
}

/** Rows on their way into a batch. */
class PendingRows {
  /** The columns as DuckDB gives them. */
  readonly read: readonly Column[];
  readonly #schema: Schema;
  readonly #builders: readonly ColumnBuilder[];
  readonly #most: number;
  rows = 0;

  constructor({ columns }: ScanPlan, schema: Schema, most: number) {
    this.read = columns.map(({ name, type }) => ({ name, type: outputType(type, 'duckdb') }));
    this.#builders = columns.map(({ type }) => columnBuilder(outputType(type, 'table')));
    this.#schema = schema;
    this.#most = most;
  }

  get isFull(): boolean {
    return (
      this.rows >= this.#most ||
      this.#builders.reduce((sum, { byteSize }) => sum + byteSize, 0) >= BATCH_BYTES
    );
  }

  add(batch: ReturnType<typeof batchOf>): void {
    for (const [i, builder] of this.#builders.entries()) batch.write(i, builder);
    this.rows += batch.rows;
  }

  take(): RecordBatch {
    const children = this.#builders.map((builder) => builder.take());
    const data = makeData({
      type: new Struct(this.#schema.fields),
      length: this.rows,
      nullCount: 0,
      children,
    });
    this.rows = 0;
    return new RecordBatch(this.#schema, data);
  }
}
