import { countInPart, mix, pairTable } from './pairTable.ts';

/** Fewer pairs are told apart by one table at once. */
const FEW = 32_768;
/** Bits per pair: at 8 one pair in 16 finds its own taken by another, and a million pairs have theirs in the cache. */
const BITS_PER_PAIR = 8;
const MOST_BITS = 29;

/**
 * How many different pairs of words there are, which lie one behind the other; exactly. A bit for each hash shows how
 * often pairs repeat themselves: where hardly any does, only those that share a bit are compared at all.
 */
export function distinctPairs(pairs: Uint32Array): number {
  const count = pairs.length >> 1;
  if (count <= FEW) return countAll(pairs);
  const bits = Math.min(MOST_BITS, Math.ceil(Math.log2(count * BITS_PER_PAIR)));
  const seen = new Uint32Array(2 ** (bits - 5));
  const again = new Uint32Array(seen.length);
  const { taken, shared, repeats } = markBits(pairs, { seen, again, shift: 32 - bits });
  if (taken <= FEW) return countAll(pairs);
  if (repeats > count / 4) return countInParts(pairs);
  const suspects = pairsOf(pairs, { again, shift: 32 - bits, most: repeats + shared });
  return taken - shared + distinctPairs(suspects);
}

interface Bits {
  readonly seen: Uint32Array;
  /** Of those taken more than once. */
  readonly again: Uint32Array;
  /** Of a hash, so that what is left numbers a bit. */
  readonly shift: number;
}

/**
 * Its upper bits number a bit. Quicker than `mix`, and where it does badly there are many repeats, and all are compared.
 */
function spread(a: number, b: number): number {
  return Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca6b);
}

/** `taken`: bits of `seen`, `shared`: bits of `again`, `repeats`: pairs that found their bit taken. */
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
    const known = seen[word] as number; // as many bits as numbers
    if ((known & mask) === 0) {
      seen[word] = known | mask;
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

/** The pairs whose bit is one of `again`: `most` of them, for each shared bit has its first and its repeats. */
function pairsOf(
  pairs: Uint32Array,
  { again, shift, most }: Pick<Bits, 'again' | 'shift'> & { readonly most: number },
): Uint32Array {
  const found = new Uint32Array(most * 2);
  let to = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const a = pairs[at] as number; // two words each
    const b = pairs[at + 1] as number;
    const bit = spread(a, b) >>> shift;
    if (((again[bit >>> 5] as number) & (1 << (bit & 31))) === 0) continue; // as many bits as numbers
    found[to] = a;
    found[to + 1] = b;
    to += 2;
  }
  return found;
}

/** One table for all, which stays small because few are different. */
function countAll(pairs: Uint32Array): number {
  return countInPart(pairs, { from: 0, to: pairs.length >> 1, stamp: 1 }, pairTable(1024));
}

const PART_BITS = 8;
const PARTS = 1 << PART_BITS;

/**
 * The pairs are first dealt into parts by their hash, so that each part's table stays in the processor's cache: one
 * table for a million pairs would miss it at every step.
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
  const dealt = new Uint32Array(count * 2);
  for (let at = 0; at < count; at += 1) {
    const part = (hashes[at] as number) >>> (32 - PART_BITS); // below its length
    const to = next[part] as number;
    next[part] = to + 1;
    dealt[to * 2] = pairs[at * 2] as number;
    dealt[to * 2 + 1] = pairs[at * 2 + 1] as number;
  }
  // Large enough that a part whose pairs are all different is not moved to a larger table.
  const table = pairTable(count / PARTS);
  let distinct = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const from = part === 0 ? 0 : (next[part - 1] as number); // each part ends where the next began
    distinct += countInPart(dealt, { from, to: next[part] as number, stamp: part + 1 }, table);
  }
  return distinct;
}
