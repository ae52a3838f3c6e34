/** Reads the numbers and times of a column as doubles, for its summary and histogram. */

import type { ArrowType } from '../columns/arrowType.ts';
import { halfFloat } from '../columns/cellValue.ts';
import { type Chunk, isValid, wordsOf } from '../columns/chunk.ts';
import type { Column } from '../columns/column.ts';

/** The values of a column as doubles, for calculations that only need their approximate positions. */
export interface ColumnNumbers {
  /**
   * Calls back with the doubles of consecutive rows, NaN for rows without a value, until the callback returns `true`.
   * Their memory is the table's own or is reused. Counts of 64 bits and more are given as their distance from `base`,
   * so that values near it are exact; for all other types `base` is 0.
   */
  each(base: bigint, visit: (numbers: Float64Array) => boolean): void;
  /** Whether no value is a fraction. */
  readonly whole: boolean;
  /** The valid range of a base; null: only 0. */
  readonly bases: { readonly least: bigint; readonly most: bigint } | null;
}

/** The values of a column of numbers or times; `rows`, in order, selects rows. Null for every other column. */
export function columnNumbers(column: Column, rows: Uint32Array | null): ColumnNumbers | null {
  const words = wordsPerValue(column.type);
  if (words > 0) {
    const signed = column.type.kind !== 'int' || column.type.signed;
    const bits = BigInt(words * 32);
    const least = signed ? -(1n << (bits - 1n)) : 0n;
    return {
      whole: true,
      bases: { least, most: least + (1n << bits) - 1n },
      each: (base, visit) => eachPiece(column, rows, { fill: wordFill({ words, signed, base }), visit }),
    };
  }
  const fill = plainFill(column.type);
  if (fill === null) return null;
  return {
    whole: column.type.kind !== 'float',
    bases: null,
    each: (_zero, visit) => eachPiece(column, rows, { fill, visit }),
  };
}

/** The number of words of a value, for types whose values may not fit a double; 0 for all others. */
function wordsPerValue(type: ArrowType): number {
  switch (type.kind) {
    case 'int':
    case 'time':
      return type.bits === 64 ? 2 : 0;
    case 'decimal':
      return type.bits / 32;
    case 'date':
      return type.unit === 'ms' ? 2 : 0;
    case 'timestamp':
    case 'duration':
      return 2;
    default:
      return 0;
  }
}

/** Writes the doubles of a chunk's rows, starting with `from`. */
type Fill = (chunk: Chunk, from: number, into: Float64Array) => void;

function plainFill(type: ArrowType): Fill | null {
  switch (type.kind) {
    case 'float':
      return type.bits === 16 ? fillHalves : fillPlain;
    case 'int':
    case 'date':
    case 'time':
      return fillPlain;
    default:
      return null;
  }
}

function fillPlain({ values }: Chunk, from: number, into: Float64Array): void {
  into.set((values as Float64Array).subarray(from, from + into.length)); // or another array of numbers
}

function fillHalves({ values }: Chunk, from: number, into: Float64Array): void {
  const halves = values as Uint16Array; // of a half float
  for (let at = 0; at < into.length; at += 1) into[at] = halfFloat(halves[from + at] as number); // below its length
}

interface Words {
  readonly words: number;
  readonly signed: boolean;
  readonly base: bigint;
}

/** Fills in values word by word, most significant first: no step rounds before a distance exceeds 2^53. */
function wordFill({ words, signed, base }: Words): Fill {
  const bases = Array.from({ length: words }, (_none, at) =>
    Number(BigInt.asUintN(32, base >> BigInt(32 * at))),
  );
  const top = words - 1;
  const topBase = signed ? (bases[top] ?? 0) | 0 : (bases[top] ?? 0);
  if (words === 2) return pairFill({ lowBase: bases[0] ?? 0, highBase: topBase, signed });
  return (chunk, from, into) => {
    const all = wordsOf(chunk);
    for (let at = 0; at < into.length; at += 1) {
      const first = (from + at) * words;
      const highest = all[first + top] as number; // this many words per row
      let distance = (signed ? highest | 0 : highest) - topBase;
      for (let word = top - 1; word >= 0; word -= 1) {
        distance = distance * WORD + ((all[first + word] as number) - (bases[word] as number));
      }
      into[at] = distance;
    }
  };
}

const WORD = 0x100000000;

function pairFill(base: {
  readonly lowBase: number;
  readonly highBase: number;
  readonly signed: boolean;
}): Fill {
  const { lowBase, highBase, signed } = base;
  return (chunk, from, into) => {
    const words = wordsOf(chunk);
    for (let at = 0; at < into.length; at += 1) {
      const low = words[(from + at) * 2] as number; // two words per row
      const high = words[(from + at) * 2 + 1] as number;
      into[at] = ((signed ? high | 0 : high) - highBase) * WORD + (low - lowBase);
    }
  };
}

/** Rows at a time, so that their doubles stay in the processor's cache. */
const PIECE = 8192;

function eachPiece(
  { chunks, starts, rows: all }: Column,
  rows: Uint32Array | null,
  how: { readonly fill: Fill; readonly visit: (numbers: Float64Array) => boolean },
): void {
  // A table may have tens of thousands of columns with a few rows each.
  const memory = new Float64Array(Math.min(PIECE, all));
  let next = 0;
  for (const [at, chunk] of chunks.entries()) {
    const start = starts[at] ?? 0;
    for (let from = 0; from < chunk.length; from += PIECE) {
      const piece = memory.subarray(0, Math.min(PIECE, chunk.length - from));
      const first = next;
      const end = start + from + piece.length;
      if (rows !== null) while (next < rows.length && (rows[next] as number) < end) next += 1; // below its length
      if (rows !== null && next === first) continue;
      if (rows === null && chunk.valid === null && chunk.values instanceof Float64Array) {
        // The chunk's own memory.
        if (how.visit(chunk.values.subarray(from, from + piece.length))) return;
        continue;
      }
      how.fill(chunk, from, piece);
      leaveNullsOut(chunk, from, piece);
      if (how.visit(rows === null ? piece : gather(piece, rows.subarray(first, next), start + from))) return;
    }
  }
}

function leaveNullsOut(chunk: Chunk, from: number, piece: Float64Array): void {
  if (chunk.valid === null) return;
  for (let at = 0; at < piece.length; at += 1) if (!isValid(chunk, from + at)) piece[at] = Number.NaN;
}

/** Moves the selected rows to the front, in place: a row's number is never below its index in the list. */
function gather(piece: Float64Array, rows: Uint32Array, start: number): Float64Array {
  for (let at = 0; at < rows.length; at += 1) piece[at] = piece[(rows[at] as number) - start] as number; // within it
  return piece.subarray(0, rows.length);
}
