/** Maps a column of a table to its schema and values in a Parquet export. */

import type { ParquetWriter } from 'hyparquet-writer';
import type { ArrowType } from '../columns/arrowType.ts';
import { cellText, cellValue, floatAt } from '../columns/cellValue.ts';
import { bigAt, type Chunk, isValid, valueBytes, wordsOf } from '../columns/chunk.ts';
import { type Column, codedColumnOf, NULL, statesOf } from '../columns/column.ts';
import type { Rows } from './parquetBody.ts';
import { fixedBody, type ParquetBody, textBody } from './parquetBody.ts';

export type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** The Parquet schema of one column, and the values of some of its rows, with null for missing values. */
export interface ParquetColumn {
  readonly element: SchemaElement;
  readonly encoding: 'PLAIN' | undefined;
  /** Reads the values directly from memory if Parquet has the same layout; null: use `values`. */
  readonly body: ((rows: Rows) => ParquetBody) | null;
  values(rows: Rows): readonly unknown[];
}

type Read = (chunk: Chunk, index: number) => unknown;

/**
 * A column's representation in Parquet: numbers, booleans, texts, bytes, dates and timestamps have their own types; all
 * others (durations, nested values, wide decimals) are the text that a page shows.
 */
export function parquetColumn(column: Column): ParquetColumn {
  const coded = codedColumnOf(column);
  if (coded !== null) return codedColumn(column, coded.codes, coded.values);
  const isOptional = mayBeNull(column);
  const base = { name: column.name, repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' } as const;
  const plain = (element: Partial<SchemaElement>, read: Read): ParquetColumn => ({
    element: { ...base, ...element },
    encoding: element.type === 'BYTE_ARRAY' ? undefined : 'PLAIN',
    body: null,
    values: (rows) => readRows(column, rows, read),
  });
  const result = plain(...elementOf(column.type));
  return { ...result, body: bodyOf(column) };
}

/** The types with the same layout in Arrow and Parquet. */
function bodyOf(column: Column): ParquetColumn['body'] {
  const { type } = column;
  const fixed = (width: 4 | 8) => (rows: Rows) => fixedBody(column, rows, width);
  switch (type.kind) {
    case 'float':
      return type.bits === 64 ? fixed(8) : type.bits === 32 ? fixed(4) : null;
    case 'int':
      if (type.bits === 64) return fixed(8);
      return type.bits === 32 && type.signed ? fixed(4) : null;
    case 'date':
      return type.unit === 'day' ? fixed(4) : null;
    case 'timestamp':
      return type.unit === 's' ? null : fixed(8);
    case 'text':
      return (rows) => textBody(column, rows);
    default:
      return null;
  }
}

/**
 * Whether a column may have nulls; NaN is a value. For floats only the chunks are checked, because their states would
 * be computed for this alone.
 */
function mayBeNull(column: Column): boolean {
  if (column.type.kind === 'float') return column.chunks.some(({ valid }) => valid !== null);
  return statesOf(column)?.includes(NULL) ?? false;
}

const longAt: Read = (chunk, index) => bigAt(wordsOf(chunk), 2, index);
const wholeAt: Read = (chunk, index) => (chunk.values as Int32Array)[index] ?? 0;
const unsignedLongAt: Read = (chunk, index) => BigInt.asUintN(64, bigAt(wordsOf(chunk), 2, index));

function elementOf(type: ArrowType): [Partial<SchemaElement>, Read] {
  switch (type.kind) {
    case 'bool':
      return [{ type: 'BOOLEAN' }, cellValue];
    case 'int': {
      if (type.bits === 64) {
        return type.signed
          ? [{ type: 'INT64' }, longAt]
          : [{ type: 'INT64', converted_type: 'UINT_64' }, unsignedLongAt];
      }
      // Unsigned 32-bit integers do not fit the signed type that readers expect here.
      if (type.bits === 32 && !type.signed)
        return [{ type: 'INT64' }, (chunk, i) => BigInt(Number(wholeAt(chunk, i)))];
      return [{ type: 'INT32' }, wholeAt];
    }
    case 'float':
      return [{ type: type.bits === 64 ? 'DOUBLE' : 'FLOAT' }, floatAt];
    case 'decimal':
      if (type.precision > 18) break;
      return [
        { type: 'INT64', converted_type: 'DECIMAL', precision: type.precision, scale: type.scale },
        (chunk, index) => bigAt(wordsOf(chunk), type.bits / 32, index),
      ];
    case 'date':
      return [
        { type: 'INT32', converted_type: 'DATE' },
        type.unit === 'day' ? wholeAt : (chunk, i) => Number(bigAt(wordsOf(chunk), 2, i) / 86_400_000n),
      ];
    case 'timestamp': {
      const unit = type.unit === 'ns' ? 'NANOS' : type.unit === 'us' ? 'MICROS' : 'MILLIS';
      const scale = type.unit === 's' ? 1000n : 1n;
      const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: type.zone !== null, unit } as const;
      return [{ type: 'INT64', logical_type }, (chunk, i) => bigAt(wordsOf(chunk), 2, i) * scale];
    }
    case 'bytes':
    case 'fixed_bytes':
      return [{ type: 'BYTE_ARRAY' }, valueBytes];
    default:
  }
  return [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, cellText];
}

function readRows(column: Column, { order, from, to }: Rows, read: Read): unknown[] {
  const { chunks, starts } = column;
  const values = new Array<unknown>(to - from);
  let at = 0;
  for (let row = from; row < to; row += 1) {
    const stored = order === null ? row : (order[row] ?? 0);
    if (stored < (starts[at] ?? 0) || stored >= (starts[at] ?? 0) + (chunks[at]?.length ?? 0)) {
      at = starts.findLastIndex((start) => start <= stored);
    }
    const chunk = chunks[at];
    const index = stored - (starts[at] ?? 0);
    values[row - from] = chunk === undefined || !isValid(chunk, index) ? null : read(chunk, index);
  }
  return values;
}

/** A dictionary column is written like a column of its values, each row by its code. */
function codedColumn(column: Column, codes: Int32Array, entries: Column): ParquetColumn {
  const inner = parquetColumn({ ...entries, name: column.name });
  const optional = codes.includes(-1) || inner.element.repetition_type === 'OPTIONAL';
  let decoded: readonly unknown[] | null = null;
  return {
    element: { ...inner.element, repetition_type: optional ? 'OPTIONAL' : 'REQUIRED' },
    encoding: inner.encoding,
    body: null,
    values({ order, from, to }) {
      decoded ??= inner.values({ order: null, from: 0, to: entries.rows });
      const values = new Array<unknown>(to - from);
      for (let row = from; row < to; row += 1) {
        const code = codes[order === null ? row : (order[row] ?? 0)] ?? -1;
        values[row - from] = code < 0 ? null : decoded[code];
      }
      return values;
    },
  };
}
