/** Converts PostgreSQL's values from text to those of SQL results. */

import type { ColumnType, RowValue } from '../columnType.ts';
import { SqlError } from '../sqlError.ts';
import { UnsupportedValue } from '../unsupportedValue.ts';
import { arrayItems, compositeFields } from './nested.ts';
import { dateDays, timeMicros, timestampMicros } from './temporal.ts';
import type { PgType, PlainKind } from './types.ts';

/** Reads a value of a column from the server's text; null stays null. */
export type ReadValue = (text: string | null) => RowValue;

/**
 * A reader for the values of a column; it throws an SqlError, which says how to cast, for a value that the column's
 * Arrow type does not support.
 * @param column the column type for `type`, which limits the digits of decimals
 */
export function readerOf(type: PgType, column: ColumnType, name: string): ReadValue {
  const readText = textReader(type, column);
  return (text) => {
    if (text === null) return null;
    try {
      return readText(text);
    } catch (error) {
      if (!(error instanceof UnsupportedValue)) throw error;
      throw new SqlError(`The column "${name}" holds ${error.message}`, { cause: error });
    }
  };
}

type ReadText = (text: string) => RowValue;

function textReader(type: PgType, column: ColumnType): ReadText {
  if (type.kind === 'array') {
    const item = textReader(type.item, column.kind === 'list' ? column.item : column);
    return (text) => arrayItems(text, type.delimiter).map((one) => (one === null ? null : item(one)));
  }
  if (type.kind === 'composite') {
    const columns = column.kind === 'struct' ? column.fields : [];
    const fields = type.fields.map((field, at) => textReader(field.type, columns[at]?.type ?? column));
    return (text) =>
      compositeFields(text).map((one, at) => (one === null ? null : (fields[at]?.(one) ?? null)));
  }
  if (type.read !== 'numeric') return PLAIN[type.read];
  return column.kind === 'decimal' ? (text) => decimal(text, column) : (text) => text;
}

const PLAIN: Readonly<Record<Exclude<PlainKind, 'numeric'>, ReadText>> = {
  bool: (text) => text === 't',
  int16: Number,
  int32: Number,
  int64: BigInt,
  float32: Number,
  float64: Number,
  text: (text) => text,
  bytes: (text) => Buffer.from(text.slice(2), 'hex'),
  date: dateDays,
  time: timeMicros,
  timestamp: timestampMicros,
  timestamptz: timestampMicros,
};

function decimal(text: string, { precision, scale }: { precision: number; scale: number }): string {
  if (!/^-?\d/.test(text)) {
    throw new UnsupportedValue(`${text}, which a decimal cannot be; cast it: "column"::float8.`);
  }
  const point = text.indexOf('.');
  const after = point === -1 ? 0 : text.length - point - 1;
  const before = (point === -1 ? text.length : point) - (text.startsWith('-') ? 1 : 0);
  if (after > scale || before > precision - scale) {
    const digits = `${precision - scale} digits before and ${scale} after the point`;
    throw new UnsupportedValue(
      `a number of more than ${digits}; cast it: "column"::text, or ::numeric(p, s).`,
    );
  }
  return text;
}
