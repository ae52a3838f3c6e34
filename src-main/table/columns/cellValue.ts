/** Converts single values of a table to JSON and text, as the data viewer shows them. */

import { dateText } from '../../lib/civil.ts';
import type { ArrowType } from './arrowType.ts';
import { bigAt, bytesOf, type Chunk, isValid, offsetAt, valueBytes, wordsOf } from './chunk.ts';
import { durationText, timestampText, timeText } from './temporalText.ts';

/** Values that JSON represents without loss. */
export type CellValue =
  | string
  | number
  | boolean
  | null
  | readonly CellValue[]
  | { readonly [key: string]: CellValue };

/** Bytes are shown as hex, up to this number of them. */
const SHOWN_BYTES = 32;

/**
 * One value in JSON's form (docs/spec/values.md, 2, 3): integers beyond 2^53 and decimals as strings, NaN and Infinity
 * by name, times as ISO 8601, bytes as hex, nested values as arrays and objects, null as null.
 */
export function cellValue(chunk: Chunk, index: number): CellValue {
  if (!isValid(chunk, index)) return null;
  const { type } = chunk;
  switch (type.kind) {
    case 'null':
      return null;
    case 'bool':
      return (((bytesOf(chunk)[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
    case 'int':
      return intValue(chunk, index);
    case 'float':
      return floatValue(floatAt(chunk, index));
    case 'decimal':
      return decimalText(bigAt(wordsOf(chunk), type.bits / 32, index), type.scale);
    case 'date':
      return type.unit === 'day'
        ? dateText(numberAt(chunk, index))
        : dateText(Math.floor(Number(longAt(chunk, index)) / 86_400_000));
    case 'time':
      return timeText(countAt(chunk, index, type.bits), type.unit);
    case 'timestamp':
      return timestampText(longAt(chunk, index), type.unit, type.zone);
    case 'duration':
      return durationText(longAt(chunk, index), type.unit);
    case 'interval':
      return intervalText(chunk, index, type.unit);
    case 'text':
      return utf8(valueBytes(chunk, index));
    case 'bytes':
    case 'fixed_bytes':
      return hex(valueBytes(chunk, index));
    case 'list':
      return range(chunk.children[0], offsetAt(chunk, index), offsetAt(chunk, index + 1));
    case 'fixed_list':
      return range(chunk.children[0], index * type.size, (index + 1) * type.size);
    case 'struct':
      return Object.fromEntries(
        type.fields.map((field, child) => [field.name, childValue(chunk.children[child], index)]),
      );
    case 'map':
      return mapValue(chunk, index);
    case 'union':
      return unionValue(chunk, index, type);
    case 'dictionary':
      return dictionaryValue(chunk, index);
  }
}

/** The value as text, for searching and for types without an order of their own; null stays null. */
export function cellText(chunk: Chunk, index: number): string | null {
  const value = cellValue(chunk, index);
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function hex(bytes: Uint8Array): string {
  const hexDigits = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, SHOWN_BYTES),
  ).toString('hex');
  return bytes.byteLength > SHOWN_BYTES ? `${hexDigits}… (${bytes.byteLength} bytes)` : hexDigits;
}

/** A value of a column whose numbers fit a double exactly; the caller knows the kind. */
function numberAt(chunk: Chunk, index: number): number {
  return Number((chunk.values as Int32Array)[index] ?? 0);
}

function longAt(chunk: Chunk, index: number): bigint {
  return bigAt(wordsOf(chunk), 2, index);
}

function countAt(chunk: Chunk, index: number, bits: number): bigint {
  return bits === 32 ? BigInt(numberAt(chunk, index)) : longAt(chunk, index);
}

function intValue(chunk: Chunk, index: number): CellValue {
  if (chunk.type.kind !== 'int' || chunk.type.bits < 64) return numberAt(chunk, index);
  const signed = longAt(chunk, index);
  const value = chunk.type.signed ? signed : BigInt.asUintN(64, signed);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

export function floatAt(chunk: Chunk, index: number): number {
  const stored = numberAt(chunk, index);
  return chunk.values instanceof Uint16Array ? halfFloat(stored) : stored;
}

function floatValue(value: number): CellValue {
  return Number.isFinite(value) ? value : String(value);
}

/** The value of a half-precision float (IEEE 754 binary16). */
export function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return (unscaled * 10n ** BigInt(-scale)).toString();
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function intervalText(chunk: Chunk, index: number, unit: string): string {
  const words = new Int32Array(chunk.values.buffer, chunk.values.byteOffset, chunk.values.byteLength >> 2);
  if (unit === 'year_month') return `${words[index] ?? 0} months`;
  if (unit === 'day_time') return `${words[index * 2] ?? 0} days ${words[index * 2 + 1] ?? 0} ms`;
  const nanos = bigAt(new Uint32Array(words.buffer, words.byteOffset, words.length), 2, index * 2 + 1);
  return `${words[index * 4] ?? 0} months ${words[index * 4 + 1] ?? 0} days ${nanos} ns`;
}

function childValue(child: Chunk | undefined, index: number): CellValue {
  return child === undefined ? null : cellValue(child, index);
}

function range(child: Chunk | undefined, from: number, to: number): CellValue[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => childValue(child, from + n));
}

function mapValue(chunk: Chunk, index: number): CellValue {
  const [keys, values] = chunk.children[0]?.children ?? [];
  const from = offsetAt(chunk, index);
  const to = offsetAt(chunk, index + 1);
  const entries: [string, CellValue][] = [];
  for (let at = from; at < to; at += 1) {
    entries.push([keys === undefined ? '' : String(cellText(keys, at)), childValue(values, at)]);
  }
  return Object.fromEntries(entries);
}

function unionValue(chunk: Chunk, index: number, type: ArrowType & { kind: 'union' }): CellValue {
  const child = chunk.children[type.codes.indexOf(chunk.codes[index] ?? 0)];
  return childValue(child, type.dense ? offsetAt(chunk, index) : index);
}

function dictionaryValue(chunk: Chunk, index: number): CellValue {
  let at = dictionaryCode(chunk, index);
  for (const part of chunk.dictionary) {
    if (at < part.length) return cellValue(part, at);
    at -= part.length;
  }
  return null;
}

/** The index of a row's entry in its dictionary. */
export function dictionaryCode(chunk: Chunk, index: number): number {
  return Number((chunk.values as Int32Array | BigInt64Array)[index] ?? 0);
}
