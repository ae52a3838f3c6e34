import { halfFloat } from '../columns/cellValue.ts';
import { bytesOf, type Chunk, wordsOf } from '../columns/chunk.ts';
import { type Column, derive } from '../columns/column.ts';

/**
 * The values of a column as words for sorting: per level one 32-bit word per row, most significant level first.
 * Comparing the levels of two rows as unsigned numbers compares their values. Null for columns that are ordered by
 * bytes or text. Nulls have arbitrary words.
 */
export function sortWords(column: Column): readonly Uint32Array[] | null {
  const fill = fillerOf(column);
  if (fill === null) return null;
  return derive(
    column,
    'words',
    () => {
      const levels = Array.from({ length: fill.levels }, () => new Uint32Array(column.rows));
      column.chunks.forEach((chunk, at) => {
        const start = column.starts[at] ?? 0;
        fill.chunk(
          chunk,
          levels.map((level) => level.subarray(start, start + chunk.length)),
        );
      });
      return levels;
    },
    (levels) => levels.length * column.rows * 4,
  );
}

interface Filler {
  readonly levels: number;
  chunk(chunk: Chunk, levels: readonly Uint32Array[]): void;
}

const NONE = new Uint32Array(0);
const SIGN = 0x80000000;

function fillerOf({ type }: Column): Filler | null {
  switch (type.kind) {
    case 'bool':
      return { levels: 1, chunk: fillBools };
    case 'int':
      if (type.bits === 64) return { levels: 2, chunk: fillWords(2, type.signed) };
      return { levels: 1, chunk: fillInts(type.signed) };
    case 'float':
      return type.bits === 64 ? { levels: 2, chunk: fillDoubles } : { levels: 1, chunk: fillFloats };
    case 'decimal':
      return { levels: type.bits / 32, chunk: fillWords(type.bits / 32, true) };
    case 'date':
      return type.unit === 'day'
        ? { levels: 1, chunk: fillInts(true) }
        : { levels: 2, chunk: fillWords(2, true) };
    case 'time':
      return type.bits === 32
        ? { levels: 1, chunk: fillInts(true) }
        : { levels: 2, chunk: fillWords(2, true) };
    case 'timestamp':
    case 'duration':
      return { levels: 2, chunk: fillWords(2, true) };
    default:
      return null;
  }
}

function fillBools(chunk: Chunk, [level = NONE]: readonly Uint32Array[]): void {
  const bits = bytesOf(chunk);
  for (let index = 0; index < level.length; index += 1) {
    level[index] = ((bits[index >> 3] ?? 0) >> (index & 7)) & 1;
  }
}

/** Fills in integers of 8, 16 and 32 bits; unsigned ones keep their value. */
function fillInts(signed: boolean): Filler['chunk'] {
  const flip = signed ? SIGN : 0;
  return (chunk, [level = NONE]) => {
    const values = chunk.values as Int32Array;
    for (let index = 0; index < level.length; index += 1) level[index] = (values[index] ?? 0) ^ flip;
  };
}

/** Fills in two's complement numbers of several words, stored low word first. */
function fillWords(stride: number, signed: boolean): Filler['chunk'] {
  const sign = signed ? SIGN : 0;
  if (stride === 2) return (chunk, levels) => fillPairs(chunk, levels, sign);
  return (chunk, levels) => {
    const words = wordsOf(chunk);
    levels.forEach((level, at) => {
      const flip = at === 0 ? sign : 0;
      const from = stride - 1 - at;
      for (let index = 0; index < level.length; index += 1)
        level[index] = (words[index * stride + from] ?? 0) ^ flip;
    });
  };
}

function fillPairs(chunk: Chunk, [high = NONE, low = NONE]: readonly Uint32Array[], sign: number): void {
  const words = wordsOf(chunk);
  for (let index = 0; index < high.length; index += 1) {
    low[index] = words[index * 2] as number; // two words per row
    high[index] = (words[index * 2 + 1] as number) ^ sign;
  }
}

/**
 * Fills in doubles so that the words have IEEE order: positive numbers get the sign bit, negative ones are inverted;
 * both zeros are equal.
 */
function fillDoubles(chunk: Chunk, [high = NONE, low = NONE]: readonly Uint32Array[]): void {
  const words = wordsOf(chunk);
  for (let index = 0; index < high.length; index += 1) {
    const lower = words[index * 2] as number; // two words per row
    const upper = words[index * 2 + 1] as number;
    const isZero = upper === SIGN && lower === 0;
    const negative = isZero ? 0 : (upper | 0) >> 31;
    high[index] = isZero ? SIGN : upper ^ (negative | SIGN);
    low[index] = lower ^ negative;
  }
}

const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

function fillFloats(chunk: Chunk, [level = NONE]: readonly Uint32Array[]): void {
  const half = chunk.values instanceof Uint16Array;
  const values = chunk.values as Float32Array | Uint16Array;
  for (let index = 0; index < level.length; index += 1) {
    const value = values[index] ?? 0;
    // Adding zero turns negative zero into positive zero.
    scratch[0] = (half ? halfFloat(value) : value) + 0;
    const bits = scratchBits[0] ?? 0;
    level[index] = bits >>> 31 === 0 ? bits ^ SIGN : ~bits;
  }
}
