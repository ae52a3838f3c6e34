import type { ArrowType } from './arrowType.ts';
import { DamagedArrow } from './flatBuffer.ts';

const INT_BITS: readonly number[] = [8, 16, 32, 64];
const DECIMAL_BITS: readonly number[] = [32, 64, 128, 256];
/** As many digits as 256 bits hold; a scale beyond that only moves the point. */
const MOST_DIGITS = 76;

/** Whether the figures of a type are such as Arrow knows. @throws DamagedArrow naming the type that is not */
export function checkType(type: ArrowType): void {
  switch (type.kind) {
    case 'int':
      return need(INT_BITS.includes(type.bits), `integers of ${type.bits} bits`);
    case 'float':
      return need(type.bits >= 16 && type.bits <= 64, `floats of ${type.bits} bits`);
    case 'time':
      return need(type.bits === 32 || type.bits === 64, `times of ${type.bits} bits`);
    case 'decimal':
      need(DECIMAL_BITS.includes(type.bits), `decimals of ${type.bits} bits`);
      need(type.precision > 0 && type.precision <= MOST_DIGITS, `decimals of ${type.precision} digits`);
      return need(Math.abs(type.scale) <= MOST_DIGITS, `decimals with a scale of ${type.scale}`);
    case 'fixed_bytes':
      return need(type.width >= 0, `values of ${type.width} bytes`);
    case 'fixed_list':
      need(type.size >= 0, `lists of ${type.size} items`);
      return checkType(type.item.type);
    case 'list':
      return checkType(type.item.type);
    case 'struct':
      return type.fields.forEach((field) => checkType(field.type));
    case 'map':
      return type.entry.forEach((field) => checkType(field.type));
    case 'union':
      need(type.codes.length === type.fields.length, 'a union with types that have no values');
      return type.fields.forEach((field) => checkType(field.type));
    case 'dictionary':
      need(type.index.kind === 'int', 'a dictionary that is not indexed by integers');
      checkType(type.index);
      return checkType(type.value);
    default:
      return;
  }
}

function need(isRight: boolean, what: string): void {
  if (!isRight) throw new DamagedArrow(`it announces ${what}`);
}
