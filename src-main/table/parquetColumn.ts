import type { ParquetWriter } from 'hyparquet-writer';
import type { ArrowType } from './arrowType.ts';
import { cellText, cellValue, floatAt } from './cellValue.ts';
import { bigAt, bytesOf, type Chunk, isValid, valueBytes, wordsOf } from './chunk.ts';
import { type Column, codedOf, NULL, statesOf } from './column.ts';
import { flatText } from './flatText.ts';

export type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** What a Parquet file is told of one column, and the values of some of its rows; null stands for null. */
export interface ParquetColumn {
  readonly element: SchemaElement;
  readonly encoding: 'PLAIN' | undefined;
  values(rows: Rows): ParquetValues;
}

/** Rows of a view: `from` to `to` of its order, or of the table itself. */
export interface Rows {
  readonly order: Uint32Array | null;
  readonly from: number;
  readonly to: number;
}

export type ParquetValues = readonly unknown[] | Float64Array | BigInt64Array;

type Read = (chunk: Chunk, index: number) => unknown;

/**
 * A column as Parquet keeps it: numbers, booleans, texts, bytes, dates and times of day-less instants under their own
 * types, everything else (durations, nested values, wide decimals) as the text a page shows.
 */
export function parquetColumn(column: Column): ParquetColumn {
  const coded = codedOf(column);
  if (coded !== null) return codedColumn(column, coded.codes, coded.values);
  const isOptional = mayBeNull(column);
  const base = { name: column.name, repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' } as const;
  const plain = (element: Partial<SchemaElement>, read: Read): ParquetColumn => ({
    element: { ...base, ...element },
    encoding: element.type === 'BYTE_ARRAY' ? undefined : 'PLAIN',
    values: (rows) => readRows(column, rows, read),
  });
  const { type } = column;
  if (!isOptional && type.kind === 'float' && type.bits === 64) {
    return { ...plain({ type: 'DOUBLE' }, floatAt), values: (rows) => typedRows(column, rows, Float64Array) };
  }
  if (!isOptional && type.kind === 'int' && type.bits === 64 && type.signed) {
    return { ...plain({ type: 'INT64' }, longAt), values: (rows) => typedRows(column, rows, BigInt64Array) };
  }
  if (type.kind === 'text') {
    return {
      ...plain({ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, cellText),
      values: (rows) => textRows(column, rows),
    };
  }
  return plain(...elementOf(type));
}

/** NaN is a value, so states decide, not types alone. */
function mayBeNull(column: Column): boolean {
  const states = statesOf(column);
  return states?.includes(NULL) ?? false;
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
      // Unsigned ones of 32 bits do not fit the signed type readers expect here.
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
    const wanted = order === null ? row : (order[row] ?? 0);
    if (wanted < (starts[at] ?? 0) || wanted >= (starts[at] ?? 0) + (chunks[at]?.length ?? 0)) {
      at = starts.findLastIndex((start) => start <= wanted);
    }
    const chunk = chunks[at];
    const index = wanted - (starts[at] ?? 0);
    values[row - from] = chunk === undefined || !isValid(chunk, index) ? null : read(chunk, index);
  }
  return values;
}

/** Values as they lie in memory; a whole chunk in order is not even copied. */
function typedRows<T extends Float64Array | BigInt64Array>(
  column: Column,
  { order, from, to }: Rows,
  Values: { new (size: number): T; new (buffer: ArrayBufferLike, offset: number, size: number): T },
): T {
  const parts = column.chunks.map((chunk) => {
    const bytes = bytesOf(chunk);
    return new Values(bytes.buffer, bytes.byteOffset, chunk.length);
  });
  const [only] = parts;
  if (order === null && parts.length === 1 && only !== undefined) return only.subarray(from, to) as T;
  const values = new Values(to - from);
  let at = 0;
  for (let row = from; row < to; row += 1) {
    const wanted = order === null ? row : (order[row] ?? 0);
    if (wanted < (column.starts[at] ?? 0) || wanted >= (column.starts[at] ?? 0) + (parts[at]?.length ?? 0)) {
      at = column.starts.findLastIndex((start) => start <= wanted);
    }
    const value = parts[at]?.[wanted - (column.starts[at] ?? 0)];
    if (value !== undefined) values[row - from] = value;
  }
  return values;
}

/** Decoded once per different text of the piece, while there are few of them: most text columns repeat themselves. */
function textRows(column: Column, { order, from, to }: Rows): unknown[] {
  const { bytes, offsets } = flatText(column);
  const states = statesOf(column);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const recent = new Array<
    { readonly text: string; readonly from: number; readonly size: number } | undefined
  >(1024);
  const values = new Array<unknown>(to - from);
  for (let row = from; row < to; row += 1) {
    const wanted = order === null ? row : (order[row] ?? 0);
    if (states !== null && states[wanted] === NULL) {
      values[row - from] = null;
      continue;
    }
    const start = offsets[wanted] ?? 0;
    const size = (offsets[wanted + 1] ?? 0) - start;
    const slot = slotOf(buffer, start, size);
    const known = recent[slot];
    if (known !== undefined && known.size === size && sameBytes(buffer, known.from, start, size)) {
      values[row - from] = known.text;
      continue;
    }
    const text = buffer.toString('utf8', start, start + size);
    recent[slot] = { text, from: start, size };
    values[row - from] = text;
  }
  return values;
}

function slotOf(bytes: Uint8Array, from: number, size: number): number {
  let hash = size;
  const end = from + Math.min(size, 16);
  for (let at = from; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  return (hash ^ (hash >>> 10)) & 1023;
}

function sameBytes(bytes: Uint8Array, a: number, b: number, size: number): boolean {
  for (let at = 0; at < size; at += 1) if (bytes[a + at] !== bytes[b + at]) return false;
  return true;
}

/** A dictionary column is a column of its values, each row by its code. */
function codedColumn(column: Column, codes: Int32Array, entries: Column): ParquetColumn {
  const inner = parquetColumn({ ...entries, name: column.name });
  const optional = codes.includes(-1) || inner.element.repetition_type === 'OPTIONAL';
  let decoded: ParquetValues | null = null;
  return {
    element: { ...inner.element, repetition_type: optional ? 'OPTIONAL' : 'REQUIRED' },
    encoding: inner.encoding,
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
