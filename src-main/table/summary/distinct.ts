/** Counts the distinct values of a column, for its summary in the data viewer. */

import type { FlatText } from '../columns/flatText.ts';
import { distinctPairs } from './distinctPairs.ts';

/** The number of distinct values in the given rows; `words` as from `sortWords`. */
export function distinctWords(words: readonly Uint32Array[], rows: Uint32Array): number {
  if (rows.length === 0) return 0;
  const levels = words.map((level) => gather(level, rows));
  const last = levels[levels.length - 1];
  if (last === undefined) return 0;
  if (levels.slice(0, -1).every(isConstant)) {
    const dense = distinctDense(last);
    if (dense !== null) return dense;
  }
  const [first = last] = levels;
  if (levels.length <= 2) return distinctPairs(interleave(first, last));
  // Decimals are rare and their rows few; their words make one exact key.
  const keys = new Set<string>();
  for (let at = 0; at < rows.length; at += 1) keys.add(levels.map((level) => level[at]).join(' '));
  return keys.size;
}

/**
 * The number of distinct texts. Each is represented by 64 bits of two hashes: at a million texts, the probability that
 * two of them count as one is below 1 in 10^7, and comparing the texts themselves would take three times as long.
 */
export function distinctText({ bytes, offsets }: FlatText, rows: Uint32Array): number {
  const pairs = new Uint32Array(rows.length * 2);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number; // below its length
    const from = offsets[row] as number;
    const to = offsets[row + 1] as number;
    let a = 0x811c9dc5 ^ (to - from);
    let b = 0x9747b28c;
    for (let byte = from; byte < to; byte += 1) {
      const value = bytes[byte] as number;
      a = Math.imul(a ^ value, 0x01000193);
      b = Math.imul(b + value, 0x5bd1e995);
      b ^= b >>> 15;
    }
    pairs[at * 2] = a;
    pairs[at * 2 + 1] = b;
  }
  return distinctPairs(pairs);
}

function interleave(first: Uint32Array, second: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(first.length * 2);
  for (let at = 0; at < first.length; at += 1) {
    pairs[at * 2] = first[at] as number; // below their length
    pairs[at * 2 + 1] = second[at] as number;
  }
  return pairs;
}

/** The words of the rows. They are in order here, so if there are as many as in the level, they are all of it. */
function gather(level: Uint32Array, rows: Uint32Array): Uint32Array {
  if (rows.length === level.length) return level;
  const gatheredLevels = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) gatheredLevels[at] = level[rows[at] as number] as number;
  return gatheredLevels;
}

function isConstant(level: Uint32Array): boolean {
  const first = level[0];
  for (let at = 1; at < level.length; at += 1) if (level[at] !== first) return false;
  return true;
}

/** Counts with one byte per possible value if the values are close together; null otherwise. */
function distinctDense(level: Uint32Array): number | null {
  let least = 0xffffffff;
  let most = 0;
  for (let at = 0; at < level.length; at += 1) {
    const key = level[at] as number; // below its length
    if (key < least) least = key;
    if (key > most) most = key;
  }
  const span = most - least + 1;
  if (span > level.length * 16 + 4096) return null;
  const seenLevels = new Uint8Array(span);
  for (let at = 0; at < level.length; at += 1) seenLevels[(level[at] as number) - least] = 1;
  let count = 0;
  for (let key = 0; key < span; key += 1) count += seenLevels[key] as number; // below its length
  return count;
}
