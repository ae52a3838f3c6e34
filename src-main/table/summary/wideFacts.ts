/** Computes the summary of a column of 64-bit values without nulls directly from its memory. */

import { bytesOf } from '../columns/chunk.ts';
import type { Column } from '../columns/column.ts';
import { distinctPairs } from './distinctPairs.ts';

/** The number of distinct values of a column, and a row with the least and with the greatest. */
interface WideFacts {
  readonly distinct: number;
  readonly least: number;
  readonly most: number;
}

/**
 * The facts of a column of doubles or signed 64-bit counts without nulls, computed from its memory directly: its order
 * words would need twice its size. Null for every other column.
 */
export function wideFacts(column: Column): WideFacts | null {
  const { type, chunks, rows } = column;
  if (rows === 0 || chunks.some(({ valid }) => valid !== null)) return null;
  switch (type.kind) {
    case 'float':
      return type.bits === 64 ? doubleFacts(wordsOfAll(column)) : null;
    case 'int':
      return type.bits === 64 && type.signed ? countFacts(wordsOfAll(column)) : null;
    case 'timestamp':
    case 'duration':
      return countFacts(wordsOfAll(column));
    default:
      return null;
  }
}

/** The words of all rows, two per row, low word first; a single chunk is not copied. */
function wordsOfAll({ chunks, rows }: Column): Uint32Array {
  const parts = chunks.map((chunk) => bytesOf(chunk).subarray(0, chunk.length * 8));
  const [only] = parts;
  if (only !== undefined && parts.length === 1)
    return new Uint32Array(only.buffer, only.byteOffset, rows * 2);
  const bytes = new Uint8Array(rows * 8);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint32Array(bytes.buffer);
}

/** The facts of doubles; null if a NaN or a negative zero needs the general method. */
function doubleFacts(words: Uint32Array): WideFacts | null {
  const values = new Float64Array(words.buffer, words.byteOffset, words.length >> 1);
  let least = 0;
  let most = 0;
  let low = values[0] as number; // there is a row
  let high = low;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number; // below its length
    if (value < low) {
      low = value;
      least = row;
    }
    if (value > high) {
      high = value;
      most = row;
    }
    if (value === 0 ? Object.is(value, -0) : Number.isNaN(value)) return null;
  }
  return { distinct: distinctPairs(words), least, most };
}

function countFacts(words: Uint32Array): WideFacts {
  const { length } = words;
  let least = 0;
  let most = 0;
  let lowHigh = (words[1] as number) | 0; // there is a row
  let lowLow = words[0] as number;
  let highHigh = lowHigh;
  let highLow = lowLow;
  for (let at = 0; at < length; at += 2) {
    const upper = (words[at + 1] as number) | 0; // below its length
    const lower = words[at] as number;
    if (upper <= lowHigh && (upper < lowHigh || lower < lowLow)) {
      lowHigh = upper;
      lowLow = lower;
      least = at >> 1;
    }
    if (upper >= highHigh && (upper > highHigh || lower > highLow)) {
      highHigh = upper;
      highLow = lower;
      most = at >> 1;
    }
  }
  const span = (highHigh - lowHigh) * 0x100000000 + (highLow - lowLow) + 1;
  const isDense = span <= (length >> 1) * 16 + 4096;
  return { distinct: isDense ? distinctDense(words, lowLow, span) : distinctPairs(words), least, most };
}

/** Counts with one byte per possible value; if the range is below 2^32, the low words suffice. */
function distinctDense(words: Uint32Array, least: number, span: number): number {
  const seenWords = new Uint8Array(span);
  for (let at = 0; at < words.length; at += 2) seenWords[((words[at] as number) - least) >>> 0] = 1; // below its length
  let count = 0;
  for (let key = 0; key < span; key += 1) count += seenWords[key] as number; // below its length
  return count;
}
