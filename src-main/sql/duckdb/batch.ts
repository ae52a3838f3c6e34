import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { ColumnBuilder } from '../arrow/columnBuilder.ts';
import type { Numbers } from '../arrow/growing.ts';
import type { Column, ColumnType, RowValue } from '../columnType.ts';
import type { ColumnBatch } from '../driver.ts';
import { NoPlace } from '../noPlace.ts';
import { SqlError } from '../sqlError.ts';
import { rowValueOf } from './duckdbTypes.ts';
import { endless } from './endless.ts';

const NULLS: Column = { name: '', type: { kind: 'null' } };

/**
 * A piece of a result: numbers lie in it as Arrow wants them, everything else is read one by one.
 * @throws by what it returns: SqlError for a value Arrow has no place for, naming the column and how to cast it
 */
export function batchOf(chunk: DuckDBDataChunk, columns: readonly Column[]): ColumnBatch {
  return {
    rows: chunk.rowCount,
    write: (at, into) => {
      const column = columns[at] ?? NULLS;
      told(column, () => writeColumn(chunk, { at, type: column.type }, into));
    },
    value: (at, row): RowValue => {
      const column = columns[at] ?? NULLS;
      return told(column, () => rowValueOf(chunk.getColumnVector(at).getItem(row), column.type));
    },
  };
}

function told<T>({ name }: Column, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
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
  for (let row = 0; row < chunk.rowCount; row += 1) into.append(rowValueOf(vector.getItem(row), type));
}

function refuseEndless(
  numbers: Numbers,
  isPresent: ((index: number) => boolean) | null,
  { kind }: ColumnType,
): void {
  if (kind !== 'date' && kind !== 'timestamp') return;
  for (let i = 0; i < numbers.length; i += 1) {
    const found = endless(numbers[i] ?? 0, kind);
    if (found !== null && (isPresent === null || isPresent(i))) throw found;
  }
}
