/** Collects the values of a SQL result's columns in Arrow's memory layout, one class for each kind of column. */

import { type Data, type DataType, makeData } from 'apache-arrow';
import type { ColumnType, RowValue } from '../columnType.ts';
import { SqlError } from '../sqlError.ts';
import { arrowTypeOf, DIGITS_OF_128_BITS } from './arrowTypeOf.ts';
import { unscaled } from './decimal.ts';
import { GrowableArray, type Numbers, ValidityBitmap } from './growableArray.ts';

/** Collects the values of one column and returns them as Arrow data, in pieces. */
export interface ColumnBuilder {
  /** @throws SqlError for a value of another type */
  append(value: RowValue): void;
  /** Many numbers at once, in their memory layout; `isPresent` null: none is NULL. */
  appendNumbers?(items: Numbers, isPresent: ((index: number) => boolean) | null): void;
  /** The UTF-8 bytes of a text, without making a string of them. */
  appendUtf8?(bytes: Uint8Array, from: number, length: number): void;
  /** Approximate size of the values since the last `take`. */
  readonly byteSize: number;
  take(): Data;
}

/** Creates the builder for a column of this type. */
export function columnBuilder(type: ColumnType): ColumnBuilder {
  switch (type.kind) {
    case 'null':
      return new NullBuilder();
    case 'bool':
      return new BoolBuilder();
    case 'int':
      return numbersOfInt(type);
    case 'float':
      return type.bits === 32
        ? new NumberBuilder(type, (length) => new Float32Array(length), asNumber)
        : new NumberBuilder(type, (length) => new Float64Array(length), asNumber);
    case 'date':
      return new NumberBuilder(type, (length) => new Int32Array(length), asNumber);
    case 'time':
    case 'timestamp':
      return new NumberBuilder(type, (length) => new BigInt64Array(length), asBigint);
    case 'decimal':
      return new DecimalBuilder(type);
    case 'text':
    case 'bytes':
      return new BytesBuilder(type);
    case 'fixed':
      return new FixedBuilder(type, type.size);
    case 'uuid':
      return new FixedBuilder(type, 16);
    case 'list':
      return new ListBuilder(type, type.item);
    case 'map':
      return new ListBuilder(type, entriesOf(type));
    case 'struct':
      return new StructBuilder(type);
  }
}

function numbersOfInt(type: Extract<ColumnType, { kind: 'int' }>): ColumnBuilder {
  const { bits, signed } = type;
  if (bits === 64) {
    return signed
      ? new NumberBuilder(type, (length) => new BigInt64Array(length), asBigint)
      : new NumberBuilder(type, (length) => new BigUint64Array(length), asBigint);
  }
  const make = {
    8: signed ? (length: number) => new Int8Array(length) : (length: number) => new Uint8Array(length),
    16: signed ? (length: number) => new Int16Array(length) : (length: number) => new Uint16Array(length),
    32: signed ? (length: number) => new Int32Array(length) : (length: number) => new Uint32Array(length),
  }[bits];
  return new NumberBuilder<Numbers>(type, make, asNumber);
}

function asNumber(value: RowValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw misfit(value, 'a number');
}

function asBigint(value: RowValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw misfit(value, 'a whole number');
}

function misfit(value: RowValue, expected: string): SqlError {
  const description = typeof value === 'object' ? 'a value' : `${typeof value} ${String(value).slice(0, 80)}`;
  return new SqlError(`The database returned ${description} instead of ${expected}.`);
}

class NullBuilder implements ColumnBuilder {
  #length = 0;
  readonly byteSize = 0;

  append(value: RowValue): void {
    if (value !== null) throw misfit(value, 'NULL alone');
    this.#length += 1;
  }

  take(): Data {
    const length = this.#length;
    this.#length = 0;
    return makeData({ type: arrowTypeOf({ kind: 'null' }) as never, length, nullCount: length });
  }
}

class BoolBuilder implements ColumnBuilder {
  readonly #presence = new ValidityBitmap();
  readonly #values = new ValidityBitmap();

  get byteSize(): number {
    return this.#presence.length >> 2;
  }

  append(value: RowValue): void {
    if (value !== null && typeof value !== 'boolean') throw misfit(value, 'true or false');
    this.#presence.push(value !== null);
    this.#values.push(value === true);
  }

  take(): Data {
    const { nullBitmap: bits, length } = this.#values.take();
    const { nullBitmap, nullCount } = this.#presence.take();
    const data = bits ?? new Uint8Array((length + 7) >> 3).fill(0xff);
    return dataOf({ kind: 'bool' }, { length, nullCount, nullBitmap, data });
  }
}

class NumberBuilder<A extends Numbers> implements ColumnBuilder {
  readonly #type: ColumnType;
  readonly #items: GrowableArray<A>;
  readonly #presence = new ValidityBitmap();
  readonly #of: (value: RowValue) => number | bigint;

  constructor(type: ColumnType, make: (length: number) => A, of: (value: RowValue) => number | bigint) {
    this.#type = type;
    this.#items = new GrowableArray(make);
    this.#of = of;
  }

  get byteSize(): number {
    return this.#items.length * 8;
  }

  append(value: RowValue): void {
    const converted = value === null ? null : this.#of(value);
    this.#presence.push(value !== null);
    const { items, at } = this.#items.reserve(1);
    if (converted === null) return;
    (items as { [index: number]: number | bigint })[at] = converted;
    const stored = items[at];
    if (this.#type.kind === 'int' && stored !== converted)
      throw misfit(value, `${this.#type.bits}-bit numbers`);
  }

  appendNumbers(numbers: Numbers, isPresent: ((index: number) => boolean) | null): void {
    const { items, at } = this.#items.reserve(numbers.length);
    items.set(numbers as never, at);
    if (isPresent === null) this.#presence.pushPresent(numbers.length);
    else for (let i = 0; i < numbers.length; i += 1) this.#presence.push(isPresent(i));
  }

  take(): Data {
    return dataOf(this.#type, { ...this.#presence.take(), data: this.#items.take() });
  }
}

/**
 * 128 bits hold a little more than 38 digits. DuckDB's own Arrow export uses that room for its 128-bit integers, and
 * readers take such values as they are.
 */
function fits(value: bigint, precision: number): boolean {
  if (precision === DIGITS_OF_128_BITS) return BigInt.asIntN(128, value) === value;
  return value < 10n ** BigInt(precision) && value > -(10n ** BigInt(precision));
}

class DecimalBuilder implements ColumnBuilder {
  readonly #type: Extract<ColumnType, { kind: 'decimal' }>;
  readonly #words: GrowableArray<BigUint64Array>;
  readonly #presence = new ValidityBitmap();
  readonly #perValue: number;

  constructor(type: Extract<ColumnType, { kind: 'decimal' }>) {
    this.#type = type;
    this.#words = new GrowableArray((length) => new BigUint64Array(length));
    this.#perValue = type.precision > DIGITS_OF_128_BITS ? 4 : 2;
  }

  get byteSize(): number {
    return this.#words.length * 8;
  }

  append(value: RowValue): void {
    const { items, at } = this.#words.reserve(this.#perValue);
    this.#presence.push(value !== null);
    let rest = value === null ? 0n : this.#unscaled(value);
    for (let i = 0; i < this.#perValue; i += 1) {
      items[at + i] = BigInt.asUintN(64, rest);
      rest >>= 64n;
    }
  }

  #unscaled(value: RowValue): bigint {
    const { precision, scale } = this.#type;
    const text = typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
    const result = typeof text === 'string' ? unscaled(text, scale) : null;
    if (result === null || !fits(result, precision)) {
      throw misfit(
        value,
        `decimals of ${precision} digits, ${scale} of them behind the point. Cast the column in the query, to VARCHAR or DOUBLE`,
      );
    }
    return result;
  }

  take(): Data {
    const words = this.#words.take();
    const data = new Uint32Array(words.buffer, words.byteOffset, words.length * 2);
    return dataOf(this.#type, { ...this.#presence.take(), data });
  }
}

const encoder = new TextEncoder();

class BytesBuilder implements ColumnBuilder {
  readonly #type: ColumnType;
  readonly #presence = new ValidityBitmap();
  readonly #bytes = new GrowableArray((length) => new Uint8Array(length));
  readonly #ends = new GrowableArray((length) => new Int32Array(length));

  constructor(type: ColumnType) {
    this.#type = type;
    this.#start();
  }

  #start(): void {
    const { items, at } = this.#ends.reserve(1);
    items[at] = 0;
  }

  get byteSize(): number {
    return this.#bytes.length + this.#ends.length * 4;
  }

  append(value: RowValue): void {
    this.#presence.push(value !== null);
    if (typeof value === 'string' && this.#type.kind === 'text') this.#text(value);
    else if (value instanceof Uint8Array && this.#type.kind === 'bytes') {
      const { items, at } = this.#bytes.reserve(value.byteLength);
      items.set(value, at);
    } else if (value !== null) throw misfit(value, this.#type.kind === 'text' ? 'text' : 'bytes');
    const { items, at } = this.#ends.reserve(1);
    items[at] = this.#bytes.length;
  }

  appendUtf8(bytes: Uint8Array, from: number, length: number): void {
    this.#presence.push(true);
    const { items, at } = this.#bytes.reserve(length);
    // For short texts a loop is faster than a view.
    for (let i = 0; i < length; i += 1) items[at + i] = bytes[from + i] ?? 0;
    const { items: ends, at: end } = this.#ends.reserve(1);
    ends[end] = this.#bytes.length;
  }

  #text(value: string): void {
    const before = this.#bytes.length;
    const { items, at } = this.#bytes.reserve(value.length * 3);
    const { written } = encoder.encodeInto(value, items.subarray(at));
    this.#bytes.shrink(before + written);
  }

  take(): Data {
    const data = this.#bytes.take();
    const valueOffsets = this.#ends.take();
    this.#start();
    return dataOf(this.#type, { ...this.#presence.take(), data, valueOffsets });
  }
}

class FixedBuilder implements ColumnBuilder {
  readonly #type: ColumnType;
  readonly #size: number;
  readonly #presence = new ValidityBitmap();
  readonly #bytes = new GrowableArray((length) => new Uint8Array(length));

  constructor(type: ColumnType, size: number) {
    this.#type = type;
    this.#size = size;
  }

  get byteSize(): number {
    return this.#bytes.length;
  }

  append(value: RowValue): void {
    if (value !== null && !(value instanceof Uint8Array && value.byteLength === this.#size))
      throw misfit(value, `${this.#size} bytes`);
    this.#presence.push(value !== null);
    const { items, at } = this.#bytes.reserve(this.#size);
    if (value === null) items.fill(0, at, at + this.#size);
    else items.set(value, at);
  }

  take(): Data {
    return dataOf(this.#type, { ...this.#presence.take(), data: this.#bytes.take() });
  }
}

function entriesOf({ key, value }: Extract<ColumnType, { kind: 'map' }>): ColumnType {
  return {
    kind: 'struct',
    fields: [
      { name: 'key', type: key },
      { name: 'value', type: value },
    ],
  };
}

/** A list, or a map, which is a list of entries. */
class ListBuilder implements ColumnBuilder {
  readonly #type: ColumnType;
  readonly #presence = new ValidityBitmap();
  readonly #item: ColumnBuilder;
  readonly #ends = new GrowableArray((length) => new Int32Array(length));
  #count = 0;

  constructor(type: ColumnType, item: ColumnType) {
    this.#type = type;
    this.#item = columnBuilder(item);
    this.#end();
  }

  #end(): void {
    const { items, at } = this.#ends.reserve(1);
    items[at] = this.#count;
  }

  get byteSize(): number {
    return this.#item.byteSize + this.#ends.length * 4;
  }

  append(value: RowValue): void {
    this.#presence.push(value !== null);
    if (Array.isArray(value)) {
      for (const item of value) this.#item.append(item);
      this.#count += value.length;
    } else if (value !== null) throw misfit(value, 'lists');
    this.#end();
  }

  take(): Data {
    const valueOffsets = this.#ends.take();
    this.#count = 0;
    this.#end();
    return dataOf(this.#type, { ...this.#presence.take(), valueOffsets, child: this.#item.take() });
  }
}

class StructBuilder implements ColumnBuilder {
  readonly #type: Extract<ColumnType, { kind: 'struct' }>;
  readonly #presence = new ValidityBitmap();
  readonly #fields: readonly ColumnBuilder[];

  constructor(type: Extract<ColumnType, { kind: 'struct' }>) {
    this.#type = type;
    this.#fields = type.fields.map((field) => columnBuilder(field.type));
  }

  get byteSize(): number {
    return this.#fields.reduce((sum, { byteSize }) => sum + byteSize, 0);
  }

  append(value: RowValue): void {
    if (value !== null && !Array.isArray(value)) throw misfit(value, 'structs');
    this.#presence.push(value !== null);
    for (const [i, field] of this.#fields.entries()) field.append(value === null ? null : (value[i] ?? null));
  }

  take(): Data {
    const children = this.#fields.map((field) => field.take());
    return dataOf(this.#type, { ...this.#presence.take(), children });
  }
}

/** The casts are needed because the library checks types at compile time, and ours are only known at run time. */
function dataOf(type: ColumnType, parts: Readonly<Record<string, unknown>>): Data {
  return makeData({ type: arrowTypeOf(type) as DataType, ...parts } as never);
}
