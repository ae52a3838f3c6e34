/** Writes the rows of a SQL result to a file as an Arrow stream, while they arrive. */

import { createHash } from 'node:crypto';
import { closeSync, writeSync } from 'node:fs';
import {
  AsyncByteQueue,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  type Schema,
  Struct,
} from 'apache-arrow';
import { createFile } from '../../lib/guardedFolder/replace.ts';
import type { Column, Row } from '../columnType.ts';
import type { ResultStream } from '../driver.ts';
import { dtypeOf, schemaOf, withUniqueNames } from './arrowTypeOf.ts';
import { type ColumnBuilder, columnBuilder } from './columnBuilder.ts';

/** A record batch is written at this number of rows or bytes. */
const BATCH_ROWS = 65_536;
const BATCH_BYTES = 8 * 1024 * 1024;
/** Rows of the preview (docs/spec/values.md, 2). */
const PREVIEW_ROWS = 20;

/** The facts of a written table, as a harness reports them. */
export interface WrittenTable {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly Column[];
  readonly schema: readonly { readonly name: string; readonly dtype: string }[];
  /** The first rows, with the driver's values. */
  readonly head: readonly Row[];
}

/**
 * Writes a result as one Arrow IPC stream while it arrives; memory has one batch at a time. Writes synchronously, since
 * it runs in the SQL thread.
 * @param file must not exist
 * @throws errors of the stream; the file is incomplete then
 */
export async function writeTable(
  stream: ResultStream,
  file: string,
  signal: AbortSignal,
): Promise<WrittenTable> {
  const columns = withUniqueNames(stream.columns);
  const sink = new FileSink(file);
  try {
    const table = new TableOnItsWay(columns, sink);
    for await (const batch of stream.batches) {
      signal.throwIfAborted();
      table.add(batch);
    }
    const { rows, head } = table.end();
    return {
      rows,
      ...sink.finish(),
      columns,
      schema: columns.map(({ name, type }) => ({ name, dtype: dtypeOf(type) })),
      head,
    };
  } finally {
    sink.closeFile();
  }
}

type Batch = ResultStream['batches'] extends AsyncIterable<infer B> ? B : never;

class TableOnItsWay {
  readonly #schema: Schema;
  readonly #builders: readonly ColumnBuilder[];
  readonly #writer = new RecordBatchStreamWriter();
  readonly #head: Row[] = [];
  #rows = 0;
  #pending = 0;

  constructor(columns: readonly Column[], sink: FileSink) {
    this.#schema = schemaOf(columns);
    this.#builders = columns.map(({ type }) => columnBuilder(type));
    this.#writer.reset(sink as never, this.#schema);
  }

  add(batch: Batch): void {
    if ('write' in batch) {
      for (let row = 0; row < batch.rows && this.#head.length < PREVIEW_ROWS; row += 1) {
        this.#head.push(this.#builders.map((_, column) => batch.value(column, row)));
      }
      for (const [column, builder] of this.#builders.entries()) batch.write(column, builder);
      this.#count(batch.rows);
      return;
    }
    for (const row of batch) {
      if (this.#head.length < PREVIEW_ROWS) this.#head.push(row);
      for (const [column, builder] of this.#builders.entries()) builder.append(row[column] ?? null);
      this.#count(1);
    }
  }

  #count(rows: number): void {
    this.#rows += rows;
    this.#pending += rows;
    const isFull =
      this.#pending >= BATCH_ROWS || ((this.#pending & 255) === 0 && this.#byteSize() >= BATCH_BYTES);
    if (isFull) this.#flush();
  }

  #byteSize(): number {
    return this.#builders.reduce((sum, { byteSize }) => sum + byteSize, 0);
  }

  #flush(): void {
    const length = this.#pending;
    this.#pending = 0;
    const children = this.#builders.map((builder) => builder.take());
    const data = makeData({ type: new Struct(this.#schema.fields), length, nullCount: 0, children });
    this.#writer.write(new RecordBatch(this.#schema, data));
  }

  /** Even a table without rows has one batch, so that every reader finds its columns. */
  end(): { readonly rows: number; readonly head: readonly Row[] } {
    if (this.#pending > 0 || this.#rows === 0) this.#flush();
    this.#writer.finish();
    return { rows: this.#rows, head: this.#head };
  }
}

/** Writes the library's output to the file at once, instead of buffering it for a reader. */
class FileSink extends AsyncByteQueue {
  readonly #hash = createHash('sha256');
  #file: number | null;
  #bytes = 0;

  constructor(path: string) {
    super();
    this.#file = createFile(path);
  }

  override write(value: Parameters<AsyncByteQueue['write']>[0]): void {
    const bytes = typeof value === 'string' ? Buffer.from(value) : viewOf(value);
    if (this.#file === null) throw new Error('the table is closed already');
    for (let written = 0; written < bytes.byteLength; ) written += writeSync(this.#file, bytes, written);
    this.#hash.update(bytes);
    this.#bytes += bytes.byteLength;
  }

  finish(): { readonly bytes: number; readonly sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  closeFile(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

function viewOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError('the Arrow writer gave something else than bytes');
}
