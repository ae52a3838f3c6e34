/** Checks that the Arrow types in a table's file are valid, because the file may come from an untrusted notebook. */

import type { ArrowField, ArrowType } from './arrowType.ts';
import { DamagedArrow } from './flatBuffer.ts';

const INT_BITS: readonly number[] = [8, 16, 32, 64];
const DECIMAL_BITS: readonly number[] = [32, 64, 128, 256];
/** The maximum number of digits, which 256 bits can hold; a larger scale only moves the point. */
const MAX_DIGITS = 76;

/** Checks that the parameters of a type are valid in Arrow. @throws DamagedArrow naming an invalid type */
export function checkType(type: ArrowType): void {
  switch (type.kind) {
    case 'int':
      need(INT_BITS.includes(type.bits), `integers of ${type.bits} bits`);
      return;
    case 'float':
      need(type.bits >= 16 && type.bits <= 64, `floats of ${type.bits} bits`);
      return;
    case 'time':
      need(type.bits === 32 || type.bits === 64, `times of ${type.bits} bits`);
      return;
    case 'decimal':
      need(DECIMAL_BITS.includes(type.bits), `decimals of ${type.bits} bits`);
      need(type.precision > 0 && type.precision <= MAX_DIGITS, `decimals of ${type.precision} digits`);
      need(Math.abs(type.scale) <= MAX_DIGITS, `decimals with a scale of ${type.scale}`);
      return;
    case 'fixed_bytes':
      need(type.width >= 0, `values of ${type.width} bytes`);
      return;
    case 'fixed_list':
      need(type.size >= 0, `lists of ${type.size} items`);
      checkType(type.item.type);
      return;
    case 'list':
      checkType(type.item.type);
      return;
    case 'struct':
      checkTypes(type.fields);
      return;
    case 'map':
      checkTypes(type.entry);
      return;
    case 'union':
      need(type.codes.length === type.fields.length, 'a union with types that have no values');
      checkTypes(type.fields);
      return;
    case 'dictionary':
      need(type.index.kind === 'int', 'a dictionary that is not indexed by integers');
      checkType(type.index);
      checkType(type.value);
      return;
    default:
      return;
  }
}

function checkTypes(fields: readonly ArrowField[]): void {
  for (const { type } of fields) checkType(type);
}

function need(isRight: boolean, what: string): void {
  if (!isRight) throw new DamagedArrow(`it declares ${what}`);
}
