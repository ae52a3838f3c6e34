/** Binds values to the parameters of a DuckDB statement. */

import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  type DuckDBPreparedStatement,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUUIDValue,
} from '@duckdb/node-api';
import { unscaled } from '../arrow/decimal.ts';
import type { BindValue } from '../bindValue.ts';
import { SqlError } from '../sqlError.ts';
import { daysOf, microsOfTime, readTimestamp } from '../timeText.ts';

const MAX_DIGITS = 38;

/** Binds a value with its own type. @param slot from 1 */
export function bindTo(prepared: DuckDBPreparedStatement, slot: number, bind: BindValue): void {
  switch (bind.type) {
    case 'null':
      prepared.bindNull(slot);
      break;
    case 'bool':
      prepared.bindBoolean(slot, bind.value);
      break;
    case 'int':
      prepared.bindBigInt(slot, bind.value);
      break;
    case 'float':
      prepared.bindDouble(slot, bind.value);
      break;
    case 'text':
      prepared.bindVarchar(slot, bind.value);
      break;
    case 'bytes':
      prepared.bindBlob(slot, bind.value);
      break;
    case 'decimal':
      prepared.bindDecimal(slot, decimalOf(bind.value));
      break;
    case 'uuid':
      prepared.bindUUID(slot, DuckDBUUIDValue.fromUint128(BigInt(`0x${bind.value.replaceAll('-', '')}`)));
      break;
    case 'date':
      prepared.bindDate(slot, new DuckDBDateValue(supported(daysOf(bind.value), bind)));
      break;
    case 'time':
      prepared.bindTime(slot, new DuckDBTimeValue(supported(microsOfTime(bind.value), bind)));
      break;
    case 'timestamp': {
      const { micros, zoned } = supported(readTimestamp(bind.value), bind);
      if (zoned) prepared.bindTimestampTZ(slot, new DuckDBTimestampTZValue(micros));
      else prepared.bindTimestamp(slot, new DuckDBTimestampValue(micros));
      break;
    }
  }
}

function supported<T>(value: T | null, { type, value: text }: BindValue): T {
  if (value === null) throw new SqlError(`"${String(text)}" is not a ${type} that DuckDB supports.`);
  return value;
}

function decimalOf(text: string): DuckDBDecimalValue {
  const scale = (text.split('.')[1] ?? '').length;
  const value = unscaled(text, scale);
  const digits = String(value).replace('-', '').length;
  const width = Math.max(digits, scale + 1);
  if (value === null || width > MAX_DIGITS) {
    throw new SqlError(`The decimal ${text} has more than the ${MAX_DIGITS} digits that DuckDB supports.`);
  }
  return new DuckDBDecimalValue(value, width, scale);
}
