/** Counts the distinct 64-bit values of a large column exactly and fast, for its summary. */

import { countInPart, mix, pairTable } from './pairTable.ts';

/** The number of pairs up to which a single table counts them. */
const FEW = 32_768;
/**
 * Bits per pair: with 8, one pair in 16 finds its bit already set by another, and the bits of a million pairs fit the
 * cache.
 */
const BITS_PER_PAIR = 8;
const MAX_BITS = 29;

/**
 * The exact number of distinct pairs of words in `pairs`, which are stored consecutively. A bit per hash shows how
 * often pairs repeat: if few do, only pairs that share a bit are compared.
 */
export function distinctPairs(pairs: Uint32Array): number {
  const count = pairs.length >> 1;
  if (count <= FEW) return countAll(pairs);
  const bits = Math.min(MAX_BITS, Math.ceil(Math.log2(count * BITS_PER_PAIR)));
  const seenPairs = new Uint32Array(2 ** (bits - 5));
  const again = new Uint32Array(seenPairs.length);
  const {
    taken: takenCount,
    shared,
    repeats,
  } = markBits(pairs, { seen: seenPairs, again, shift: 32 - bits });
  if (takenCount <= FEW) return countAll(pairs);
  if (repeats > count / 4) return countInParts(pairs);
  const suspects = pairsOf(pairs, { again, shift: 32 - bits, most: repeats + shared });
  return takenCount - shared + distinctPairs(suspects);
}

interface Bits {
  readonly seen: Uint32Array;
  /** Bits that were set more than once. */
  readonly again: Uint32Array;
  /** Right shift of a hash, so that the rest is the number of a bit. */
  readonly shift: number;
}

/**
 * A hash whose upper bits are the number of a bit. Faster than `mix`; if it distributes badly, there are many repeats,
 * and then all pairs are compared.
 */
function spread(a: number, b: number): number {
  return Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca6b);
}

/** `taken`: bits set in `seen`, `shared`: bits set in `again`, `repeats`: pairs whose bit was already set. */
function markBits(
  pairs: Uint32Array,
  { seen, again, shift }: Bits,
): { readonly taken: number; readonly shared: number; readonly repeats: number } {
  const { length } = pairs;
  let repeats = 0;
  let shared = 0;
  for (let at = 0; at < length; at += 2) {
    const bit = spread(pairs[at] as number, pairs[at + 1] as number) >>> shift; // two words each
    const word = bit >>> 5;
    const mask = 1 << (bit & 31);
    const bits = seen[word] as number; // as many bits as numbers
    if ((bits & mask) === 0) {
      seen[word] = bits | mask;
      continue;
    }
    repeats += 1;
    const twice = again[word] as number; // as many as `seen`
    if ((twice & mask) !== 0) continue;
    again[word] = twice | mask;
    shared += 1;
  }
  return { taken: (length >> 1) - repeats, shared, repeats };
}

/**
 * The pairs whose bit is set in `again`. There are `most` of them: for each shared bit its first pair and its repeats.
 */
function pairsOf(
  pairs: Uint32Array,
  { again, shift, most }: Pick<Bits, 'again' | 'shift'> & { readonly most: number },
): Uint32Array {
  const suspects = new Uint32Array(most * 2);
  let to = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const a = pairs[at] as number; // two words each
    const b = pairs[at + 1] as number;
    const bit = spread(a, b) >>> shift;
    if (((again[bit >>> 5] as number) & (1 << (bit & 31))) === 0) continue; // as many bits as numbers
    suspects[to] = a;
    suspects[to + 1] = b;
    to += 2;
  }
  return suspects;
}

/** One table for all pairs, which stays small because few are distinct. */
function countAll(pairs: Uint32Array): number {
  return countInPart(pairs, { from: 0, to: pairs.length >> 1, stamp: 1 }, pairTable(1024));
}

const PART_BITS = 8;
const PARTS = 1 << PART_BITS;

/**
 * Partitions the pairs by their hash first, so that each part's table stays in the processor's cache: one table for a
 * million pairs would miss it at every step.
 */
function countInParts(pairs: Uint32Array): number {
  const count = pairs.length >> 1;
  const next = new Uint32Array(PARTS);
  const hashes = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) {
    const hash = mix(pairs[at * 2] as number, pairs[at * 2 + 1] as number); // two words each
    hashes[at] = hash;
    const part = hash >>> (32 - PART_BITS);
    next[part] = (next[part] as number) + 1; // below PARTS
  }
  let start = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const size = next[part] as number; // below PARTS
    next[part] = start;
    start += size;
  }
  const partitioned = new Uint32Array(count * 2);
  for (let at = 0; at < count; at += 1) {
    const part = (hashes[at] as number) >>> (32 - PART_BITS); // below its length
    const to = next[part] as number;
    next[part] = to + 1;
    partitioned[to * 2] = pairs[at * 2] as number;
    partitioned[to * 2 + 1] = pairs[at * 2 + 1] as number;
  }
  // Large enough that a part with only distinct pairs needs no larger table.
  const table = pairTable(count / PARTS);
  let distinct = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const from = part === 0 ? 0 : (next[part - 1] as number); // each part ends where the next one began
    distinct += countInPart(partitioned, { from, to: next[part] as number, stamp: part + 1 }, table);
  }
  return distinct;
}
