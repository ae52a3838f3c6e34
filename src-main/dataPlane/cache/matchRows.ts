/** Evaluates the conditions of a scan on rows of cache entries. */

import { type Data, Type } from 'apache-arrow';
import type { Predicate } from '../../iceberg/plan/filters.ts';
import { comparePlain, type Plain } from '../../iceberg/values/plain.ts';
import { bitAt, strideOf } from './takeRows.ts';

/**
 * The rows that meet all conditions, or null if all rows do. `columnOf` returns the values of a condition's
 * column.
 */
export function matchRows(
  length: number,
  predicates: readonly Predicate[],
  columnOf: (predicate: Predicate) => Data,
): Uint32Array | null {
  const tests = predicates.map((predicate) => testOf(predicate, columnOf(predicate)));
  if (tests.length === 0) return null;
  const rows = new Uint32Array(length);
  let matched = 0;
  for (let row = 0; row < length; row += 1) {
    if (!tests.every((test) => test(row))) continue;
    rows[matched] = row;
    matched += 1;
  }
  return matched === length ? null : rows.subarray(0, matched);
}

function testOf(predicate: Predicate, data: Data): (row: number) => boolean {
  const isPresent = data.nullCount === 0 ? () => true : (row: number) => data.getValid(row);
  if (data.typeId === Type.Null) return () => false;
  if (predicate.value === null) return predicate.op === 'never' ? () => false : isPresent;
  const { op, value } = predicate;
  const read = readerOf(data);
  return (row) => isPresent(row) && holds(read(row), op, value);
}

/** NaN only matches `!=`. */
function holds(rowValue: Plain, op: string, value: Plain): boolean {
  if (Number.isNaN(rowValue) || Number.isNaN(value)) return op === '!=';
  const order = comparePlain(rowValue, value);
  switch (op) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

/** The value of a row in the form that conditions use. */
function readerOf(data: Data): (row: number) => Plain {
  switch (data.typeId) {
    case Type.Bool: {
      const bits = data.values as Uint8Array;
      return (row) => (bitAt(bits, data.offset + row) ? 1n : 0n);
    }
    case Type.Float: {
      const values = data.values as Float64Array;
      return (row) => values[row] ?? Number.NaN;
    }
    case Type.Utf8:
    case Type.Binary: {
      const values = data.values as Uint8Array;
      const offsets = data.valueOffsets as Int32Array;
      return (row) => values.subarray(offsets[row] ?? 0, offsets[row + 1] ?? 0);
    }
    case Type.FixedSizeBinary: {
      const values = data.values as Uint8Array;
      const width = strideOf(data.type);
      return (row) => values.subarray(row * width, (row + 1) * width);
    }
    case Type.Decimal: {
      const words = data.values as Uint32Array;
      const width = strideOf(data.type);
      return (row) => {
        let value = 0n;
        for (let k = width - 1; k >= 0; k -= 1) value = (value << 32n) | BigInt(words[row * width + k] ?? 0);
        return BigInt.asIntN(width * 32, value);
      };
    }
    default: {
      const values = data.values as BigInt64Array | Int32Array;
      return (row) => BigInt(values[row] ?? 0);
    }
  }
}
