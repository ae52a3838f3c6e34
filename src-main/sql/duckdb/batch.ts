/** Converts batches of DuckDB's results to Arrow columns. */

import { type DuckDBDataChunk, DuckDBVarCharVector } from '@duckdb/node-api';
import type { ColumnBuilder } from '../arrow/columnBuilder.ts';
import type { Numbers } from '../arrow/growableArray.ts';
import type { Column, ColumnType, RowValue } from '../columnType.ts';
import type { ColumnBatch } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { UnsupportedValue } from '../unsupportedValue.ts';
import { rowValueOf } from './duckdbTypes.ts';
import { infiniteTimeError } from './infiniteTime.ts';

const NULLS: Column = { name: '', type: { kind: 'null' } };

/**
 * A batch of a result: numbers have Arrow's memory layout, all other values are read one by one.
 * @throws from its functions: SqlError for a value that Arrow cannot represent, with the column and how to cast it
 */
export function batchOf(chunk: DuckDBDataChunk, columns: readonly Column[]): ColumnBatch {
  return {
    rows: chunk.rowCount,
    write: (at, into) => {
      const column = columns[at] ?? NULLS;
      withColumnName(column, () => writeColumn(chunk, { at, type: column.type }, into));
    },
    value: (at, row): RowValue => {
      const column = columns[at] ?? NULLS;
      return withColumnName(column, () => rowValueOf(chunk.getColumnVector(at).getItem(row), column.type));
    },
  };
}

function withColumnName<T>({ name }: Column, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnsupportedValue)) throw error;
    throw new SqlError(`The column "${name}" holds ${error.message}`, { cause: error });
  }
}

function writeColumn(
  chunk: DuckDBDataChunk,
  { at, type }: { readonly at: number; readonly type: ColumnType },
  into: ColumnBuilder,
): void {
  const vector = chunk.getColumnVector(at);
  const isNumbers =
    type.kind === 'int' || type.kind === 'float' || type.kind === 'date' || type.kind === 'timestamp';
  if (
    isNumbers &&
    'items' in vector &&
    ArrayBuffer.isView(vector.items) &&
    into.appendNumbers !== undefined
  ) {
    const { validity } = vector as unknown as {
      validity: { data: unknown; itemValid(index: number): boolean };
    };
    const numbers = vector.items as unknown as Numbers;
    const isPresent = validity.data === null ? null : (index: number) => validity.itemValid(index);
    refuseEndless(numbers, isPresent, type);
    into.appendNumbers(numbers, isPresent);
    return;
  }
  if (type.kind === 'text' && vector instanceof DuckDBVarCharVector && into.appendUtf8 !== undefined) {
    writeTexts(vector, chunk.rowCount, into.appendUtf8.bind(into), (row) => into.append(vector.getItem(row)));
    return;
  }
  for (let row = 0; row < chunk.rowCount; row += 1) into.append(rowValueOf(vector.getItem(row), type));
}

/** DuckDB stores a text in 16 bytes: its length, and the text itself if it is short, else a pointer to it. */
const TEXT_BYTES = 16;
const LENGTH_BYTES = 4;
const MAX_INLINE = TEXT_BYTES - LENGTH_BYTES;

/** Copies short texts from memory; appends longer ones and NULL one by one. */
function writeTexts(
  vector: DuckDBVarCharVector,
  rows: number,
  appendUtf8: (bytes: Uint8Array, from: number, length: number) => void,
  append: (row: number) => void,
): void {
  const { dataView, validity } = vector as unknown as {
    dataView: DataView;
    validity: { data: unknown; itemValid(index: number): boolean };
  };
  const bytes = new Uint8Array(dataView.buffer, dataView.byteOffset, dataView.byteLength);
  for (let row = 0; row < rows; row += 1) {
    const at = row * TEXT_BYTES;
    const length = dataView.getUint32(at, true);
    const isInline = length <= MAX_INLINE && (validity.data === null || validity.itemValid(row));
    if (isInline) appendUtf8(bytes, at + LENGTH_BYTES, length);
    else append(row);
  }
}

function refuseEndless(
  numbers: Numbers,
  isPresent: ((index: number) => boolean) | null,
  { kind }: ColumnType,
): void {
  if (kind !== 'date' && kind !== 'timestamp') return;
  for (let i = 0; i < numbers.length; i += 1) {
    const problem = infiniteTimeError(numbers[i] ?? 0, kind);
    if (problem !== null && (isPresent === null || isPresent(i))) throw problem;
  }
}
