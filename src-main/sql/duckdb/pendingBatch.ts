/** Collects rows of a DuckDB result until they fill an Arrow batch. */

import type { DuckDBDataChunk } from '@duckdb/node-api';
import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import { type ColumnBuilder, columnBuilder } from '../arrow/columnBuilder.ts';
import type { Column, ColumnType } from '../columnType.ts';
import { batchOf } from './batch.ts';

/** A batch is full when its values take so much memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

interface Rows {
  readonly from: number;
  readonly before: number;
}

/** Rows of DuckDB on their way into an Arrow batch. */
export class PendingBatch {
  readonly #read: readonly Column[];
  readonly #schema: Schema;
  readonly #builders: readonly ColumnBuilder[];
  readonly #mostRows: number;
  rows = 0;

  /** @param columns `read`: the columns as DuckDB returns them; `types`: as the batch has them */
  constructor(columns: {
    readonly read: readonly Column[];
    readonly types: readonly ColumnType[];
    readonly schema: Schema;
    readonly mostRows: number;
  }) {
    this.#read = columns.read;
    this.#builders = columns.types.map(columnBuilder);
    this.#schema = columns.schema;
    this.#mostRows = columns.mostRows;
  }

  get #isFull(): boolean {
    return (
      this.rows >= this.#mostRows ||
      this.#builders.reduce((sum, { byteSize }) => sum + byteSize, 0) >= BATCH_BYTES
    );
  }

  /**
   * Adds rows of a chunk and yields each full batch.
   * @param some the rows to add; absent: all
   * @throws SqlError for a value that Arrow cannot represent
   */
  *fill(chunk: DuckDBDataChunk, some?: Rows): Generator<RecordBatch> {
    const { from, before } = some ?? { from: 0, before: chunk.rowCount };
    for (let at = from; at < before; ) {
      const end = Math.min(before, at + this.#mostRows - this.rows);
      this.#add(chunk, { from: at, before: end });
      at = end;
      if (this.#isFull) yield this.take();
    }
  }

  #add(chunk: DuckDBDataChunk, { from, before }: Rows): void {
    const batch = batchOf(chunk, this.#read);
    for (const [i, builder] of this.#builders.entries()) {
      if (from === 0 && before === batch.rows) batch.write(i, builder);
      else for (let row = from; row < before; row += 1) builder.append(batch.value(i, row));
    }
    this.rows += before - from;
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
