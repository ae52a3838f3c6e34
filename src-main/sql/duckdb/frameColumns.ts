/** Converts columns of data frames (Arrow) to DuckDB's types and values. */

import {
  BIGINT,
  BLOB,
  BOOLEAN,
  blobValue,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  type DuckDBValue,
  FLOAT,
  INTEGER,
  INTERVAL,
  LIST,
  listValue,
  MAP,
  mapValue,
  SMALLINT,
  STRUCT,
  structValue,
  TIME,
  TIMESTAMP,
  TIMESTAMP_MS,
  TIMESTAMP_NS,
  TIMESTAMP_S,
  TIMESTAMPTZ,
  TINYINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api';
import {
  type Data,
  type DataType,
  DateUnit,
  type Field,
  Precision,
  TimeUnit,
  Type,
  Vector,
} from 'apache-arrow';

const SIGNED = { 8: TINYINT, 16: SMALLINT, 32: INTEGER, 64: BIGINT } as const;
const UNSIGNED = { 8: UTINYINT, 16: USMALLINT, 32: UINTEGER, 64: UBIGINT } as const;
const MAX_DIGITS = 38;

/** Fields of Arrow's types that depend on the type id. */
interface TypeFields {
  /** The width in bits: 8 to 64 for whole numbers, 32 to 256 for decimals. */
  readonly bitWidth: number;
  readonly isSigned: boolean;
  readonly precision: number;
  readonly scale: number;
  readonly unit: number;
  readonly timezone?: string | null;
  readonly dictionary: DataType;
  readonly children: readonly Field[] | null;
  readonly listSize: number;
}

/** The DuckDB type of an Arrow type; null if DuckDB has no such type. */
export function duckdbTypeOf(type: DataType): DuckDBType | null {
  const of = type as unknown as TypeFields; // each case reads the fields of its type id
  switch (type.typeId) {
    case Type.Null:
      return INTEGER;
    case Type.Bool:
      return BOOLEAN;
    case Type.Int:
      return (of.isSigned ? SIGNED : UNSIGNED)[of.bitWidth as keyof typeof SIGNED];
    case Type.Float:
      return of.precision === Precision.DOUBLE ? DOUBLE : FLOAT;
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return VARCHAR;
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary:
      return BLOB;
    case Type.Decimal:
      return of.bitWidth <= 128 && of.precision <= MAX_DIGITS && of.scale >= 0
        ? DECIMAL(of.precision, of.scale)
        : null;
    case Type.Date:
      return DATE;
    case Type.Time:
      return TIME;
    case Type.Duration:
      return INTERVAL;
    case Type.Timestamp:
      return of.timezone ? TIMESTAMPTZ : (TIMESTAMPS[of.unit] ?? null);
    case Type.Dictionary:
      return duckdbTypeOf(of.dictionary);
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList: {
      const item = of.children?.[0] === undefined ? null : duckdbTypeOf(of.children[0].type);
      return item === null ? null : LIST(item);
    }
    case Type.Struct: {
      const inner: Record<string, DuckDBType> = {};
      for (const field of of.children ?? []) {
        const one = duckdbTypeOf(field.type);
        if (one === null || Object.hasOwn(inner, field.name)) return null;
        inner[field.name] = one;
      }
      return STRUCT(inner);
    }
    case Type.Map: {
      const [key, value] = (of.children?.[0]?.type.children ?? []).map((field: Field) =>
        duckdbTypeOf(field.type),
      );
      return key && value ? MAP(key, value) : null;
    }
    default:
      return null;
  }
}

const TIMESTAMPS: Readonly<Record<number, DuckDBType>> = {
  [TimeUnit.SECOND]: TIMESTAMP_S,
  [TimeUnit.MILLISECOND]: TIMESTAMP_MS,
  [TimeUnit.MICROSECOND]: TIMESTAMP,
  [TimeUnit.NANOSECOND]: TIMESTAMP_NS,
};

/** Returns a function that reads the values of one column of a batch by row. */
export function valuesOf(data: Data): (row: number) => DuckDBValue {
  const readValue = readerOf(data);
  return data.nullCount === 0 ? readValue : (row) => (data.getValid(row) ? readValue(row) : null);
}

function readerOf(data: Data): (row: number) => DuckDBValue {
  const of = data.type as unknown as TypeFields; // as above
  const values = data.values as ArrayLike<number | bigint>;
  const ticks = (row: number): bigint => BigInt(values[row] ?? 0);
  switch (data.typeId) {
    case Type.Null:
      return () => null;
    case Type.Date:
      return of.unit === DateUnit.DAY
        ? (row) => new DuckDBDateValue(Number(values[row]))
        : (row) => new DuckDBDateValue(Math.floor(Number(values[row]) / 86_400_000));
    case Type.Time:
      return (row) => new DuckDBTimeValue(microsOf(ticks(row), of.unit));
    case Type.Duration:
      return (row) => new DuckDBIntervalValue(0, 0, microsOf(ticks(row), of.unit));
    case Type.Timestamp:
      return of.timezone
        ? (row) => new DuckDBTimestampTZValue(microsOf(ticks(row), of.unit))
        : (row) => timestampOf(ticks(row), of.unit);
    case Type.Decimal:
      return (row) => new DuckDBDecimalValue(unscaledAt(data, row), of.precision, of.scale);
    case Type.Dictionary:
      return dictionaryReader(data);
    case Type.List:
    case Type.LargeList: {
      const { children, valueOffsets } = data;
      const item = children[0] === undefined ? () => null : valuesOf(children[0]);
      return (row) => listFrom(item, Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
    }
    case Type.FixedSizeList: {
      const item = data.children[0] === undefined ? () => null : valuesOf(data.children[0]);
      return (row) => listFrom(item, row * of.listSize, (row + 1) * of.listSize);
    }
    case Type.Struct: {
      const fields = (of.children ?? []).map(({ name }, at) => {
        const child = data.children[at];
        return [name, child === undefined ? () => null : valuesOf(child)] as const;
      });
      return (row) => structValue(Object.fromEntries(fields.map(([name, read]) => [name, read(row)])));
    }
    case Type.Map: {
      const { children, valueOffsets } = data;
      const [key, value] = (children[0]?.children ?? []).map(valuesOf);
      return (row) =>
        mapValue(
          Array.from({ length: Number(valueOffsets[row + 1]) - Number(valueOffsets[row]) }, (_, at) => {
            const entry = Number(valueOffsets[row]) + at;
            return { key: key?.(entry) ?? null, value: value?.(entry) ?? null };
          }),
        );
    }
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary: {
      const vector = new Vector([data]);
      // A copy, because Arrow returns a view into the file's bytes.
      return (row) => blobValue(Uint8Array.from(vector.get(row) as Uint8Array));
    }
    default: {
      const vector = new Vector([data]);
      return (row) => vector.get(row) as DuckDBValue; // a boolean, number, bigint or text
    }
  }
}

function dictionaryReader(data: Data): (row: number) => DuckDBValue {
  const chunks = data.dictionary?.data ?? [];
  const readers = chunks.map((chunk) => ({ length: chunk.length, read: valuesOf(chunk) }));
  const indices = data.values as ArrayLike<number | bigint>;
  return (row) => {
    let at = Number(indices[row]);
    for (const { length, read: readEntry } of readers) {
      if (at < length) return readEntry(at);
      at -= length;
    }
    return null;
  };
}

function listFrom(item: (row: number) => DuckDBValue, from: number, to: number): DuckDBValue {
  return listValue(Array.from({ length: to - from }, (_, at) => item(from + at)));
}

function microsOf(ticks: bigint, unit: TimeUnit): bigint {
  if (unit === TimeUnit.SECOND) return ticks * 1_000_000n;
  if (unit === TimeUnit.MILLISECOND) return ticks * 1_000n;
  return unit === TimeUnit.MICROSECOND ? ticks : floorDivide(ticks, 1_000n);
}

/** BigInt division rounds towards zero, but times before 1970 must be rounded down. */
function floorDivide(value: bigint, by: bigint): bigint {
  const rest = ((value % by) + by) % by;
  return (value - rest) / by;
}

function timestampOf(ticks: bigint, unit: TimeUnit): DuckDBValue {
  if (unit === TimeUnit.SECOND) return new DuckDBTimestampSecondsValue(ticks);
  if (unit === TimeUnit.MILLISECOND) return new DuckDBTimestampMillisecondsValue(ticks);
  return unit === TimeUnit.MICROSECOND
    ? new DuckDBTimestampValue(ticks)
    : new DuckDBTimestampNanosecondsValue(ticks);
}

/** Words of 32 bits, the lowest first, in two's complement. */
function unscaledAt(data: Data, row: number): bigint {
  const { bitWidth } = data.type as unknown as TypeFields; // a decimal
  const words = data.values as Uint32Array | Int32Array;
  const count = bitWidth / 32;
  let value = 0n;
  for (let word = count - 1; word >= 0; word -= 1)
    value = (value << 32n) | BigInt((words[row * count + word] ?? 0) >>> 0);
  return BigInt.asIntN(bitWidth, value);
}
