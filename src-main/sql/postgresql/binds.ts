/** Converts bound values to typed parameters of PostgreSQL. */

import type { BindType, BindValue } from '../bindValue.ts';
import { SqlError } from '../sqlError.ts';

const INT4 = 23;
const INT8 = 20;
const NUMERIC = 1700;
/**
 * The type OID that each kind is sent with. Text has none: the server infers its type from the context, as it does for
 * a quoted constant, so that text can also be an enum, a date or json.
 */
const TYPES: Readonly<Record<Exclude<BindType, 'int' | 'timestamp'>, number>> = {
  null: 0,
  bool: 16,
  bytes: 17,
  text: 0,
  float: 701,
  date: 1082,
  time: 1083,
  decimal: NUMERIC,
  uuid: 2950,
};

/** A bound value: its type OID, and its text, or raw bytes. */
export interface PgBind {
  readonly type: number;
  readonly value: string | Buffer | null;
}

/** @throws SqlError for a text that UTF-8 cannot represent */
export function pgBind(bind: BindValue): PgBind {
  switch (bind.type) {
    case 'int':
      return { type: intType(bind.value), value: bind.value.toString() };
    case 'timestamp':
      return { type: /(Z|[+-]\d{2}(:?\d{2})*)$/.test(bind.value.slice(10)) ? 1184 : 1114, value: bind.value };
    case 'null':
      return { type: TYPES.null, value: null };
    case 'bytes':
      return { type: TYPES.bytes, value: Buffer.from(bind.value) };
    case 'text':
      return { type: TYPES.text, value: wellFormed(bind.value) };
    case 'bool':
    case 'float':
    case 'decimal':
    case 'uuid':
    case 'date':
    case 'time':
      return { type: TYPES[bind.type], value: String(bind.value) };
  }
}

/** The smallest usual type, because `date + int8` and `substr(text, int8)` do not exist. */
function intType(value: bigint): number {
  if (BigInt.asIntN(32, value) === value) return INT4;
  return BigInt.asIntN(64, value) === value ? INT8 : NUMERIC;
}

function wellFormed(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw new SqlError('A bound text contains a NUL or half a character, which PostgreSQL cannot store.');
}
