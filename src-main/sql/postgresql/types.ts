/** Converts PostgreSQL's types to column types of SQL results. */

import { type ColumnType, FLOAT64, INT32, INT64, TEXT } from '../columnType.ts';

/** A type of the server, with the details needed to read its text format. */
export type PgType =
  | { readonly kind: 'plain'; readonly read: PlainKind; readonly modifier: number }
  | { readonly kind: 'array'; readonly item: PgType; readonly delimiter: string }
  | {
      readonly kind: 'composite';
      readonly fields: readonly { readonly name: string; readonly type: PgType }[];
    };

export type PlainKind =
  | 'bool'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'float32'
  | 'float64'
  | 'numeric'
  | 'text'
  | 'bytes'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz';

/** Built-in types by OID; all others are read as text. */
const PLAIN: Readonly<Record<number, PlainKind>> = {
  16: 'bool',
  17: 'bytes',
  20: 'int64',
  21: 'int16',
  23: 'int32',
  26: 'int64', // oid: unsigned 32 bits
  700: 'float32',
  701: 'float64',
  1082: 'date',
  1083: 'time',
  1114: 'timestamp',
  1184: 'timestamptz',
  1700: 'numeric',
};
/** Built-in array types by OID, with the OID of their items. */
const ARRAYS: Readonly<Record<number, number>> = {
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1003: 19,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1185: 1184,
  1187: 1186,
  1231: 1700,
  199: 114,
  2951: 2950,
  3807: 3802,
  1041: 869,
  651: 650,
};
/** OIDs from here on are user-defined types. */
const FIRST_USER_TYPE = 16_384;
/** The digits of Arrow's widest decimals, with 256 bits. */
const MAX_DIGITS = 76;
const WIDE = { kind: 'decimal', precision: MAX_DIGITS, scale: 38 } as const;

/** A built-in type; null for a type that must be looked up. */
export function builtInType(oid: number, modifier: number): PgType | null {
  const item = ARRAYS[oid];
  if (item !== undefined) {
    return { kind: 'array', delimiter: ',', item: plain(PLAIN[item] ?? 'text', modifier) };
  }
  return oid < FIRST_USER_TYPE ? plain(PLAIN[oid] ?? 'text', modifier) : null;
}

/** A type without parts, read from its text. */
export function plain(read: PlainKind, modifier = -1): PgType {
  return { kind: 'plain', read, modifier };
}

const COLUMN_TYPES: Readonly<Record<Exclude<PlainKind, 'numeric'>, ColumnType>> = {
  bool: { kind: 'bool' },
  int16: { kind: 'int', bits: 16, signed: true },
  int32: INT32,
  int64: INT64,
  float32: { kind: 'float', bits: 32 },
  float64: FLOAT64,
  text: TEXT,
  bytes: { kind: 'bytes' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  timestamp: { kind: 'timestamp', unit: 'us', zone: null },
  timestamptz: { kind: 'timestamp', unit: 'us', zone: 'UTC' },
};

/**
 * The column type for a type.
 * @param texts all values of a `numeric` without precision, so that the column has the digits they need; null if they
 * are not all known: the column then has 38 digits before and after the point
 */
export function columnTypeOf(type: PgType, texts: readonly (string | null)[] | null = null): ColumnType {
  switch (type.kind) {
    case 'array':
      return { kind: 'list', item: columnTypeOf(type.item) };
    case 'composite':
      return {
        kind: 'struct',
        fields: type.fields.map((field) => ({ name: field.name, type: columnTypeOf(field.type) })),
      };
    case 'plain':
      return type.read === 'numeric' ? decimalOf(type.modifier, texts) : COLUMN_TYPES[type.read];
  }
}

function decimalOf(modifier: number, texts: readonly (string | null)[] | null): ColumnType {
  if (modifier >= 4) {
    const precision = ((modifier - 4) >> 16) & 0xffff;
    // Eleven bits with a sign, because PostgreSQL 15 allows negative scales.
    const scale = (((modifier - 4) & 0x7ff) ^ 1_024) - 1_024;
    return decimalOrText(precision + Math.max(0, -scale), Math.max(0, scale));
  }
  if (texts === null) return WIDE;
  let scale = 0;
  let whole = 1;
  for (const text of texts) {
    if (text === null) continue;
    const [before = '', after = ''] = text.replace('-', '').split('.');
    whole = Math.max(whole, before.length);
    scale = Math.max(scale, after.length);
  }
  return whole + scale <= 38
    ? { kind: 'decimal', precision: 38, scale }
    : decimalOrText(whole + scale, scale);
}

/** A decimal, or text if it has more digits than Arrow supports. */
function decimalOrText(precision: number, scale: number): ColumnType {
  if (precision > MAX_DIGITS || scale > precision) return TEXT;
  return { kind: 'decimal', precision, scale };
}
