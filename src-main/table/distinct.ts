import type { FlatText } from './flatText.ts';

/** How many different values the given rows hold; `words` as `orderWords` makes them. */
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
 * How many different texts. Each stands as 64 bits of two hashes: at a million texts the chance that two of them
 * count as one is below 1 in 10^7, and comparing the texts themselves would cost three times as much.
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

/** The rows are in order here, so as many as the level has are all of it. */
function gather(level: Uint32Array, rows: Uint32Array): Uint32Array {
  if (rows.length === level.length) return level;
  const gathered = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) gathered[at] = level[rows[at] as number] as number;
  return gathered;
}

function isConstant(level: Uint32Array): boolean {
  const first = level[0];
  for (let at = 1; at < level.length; at += 1) if (level[at] !== first) return false;
  return true;
}

/** One byte per possible value where they lie close together; null where they do not. */
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
  const seen = new Uint8Array(span);
  for (let at = 0; at < level.length; at += 1) seen[(level[at] as number) - least] = 1;
  let count = 0;
  for (let key = 0; key < span; key += 1) count += seen[key] as number; // below its length
  return count;
}

function mix(a: number, b: number): number {
  let h = a ^ Math.imul(b, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const PART_BITS = 8;
const PARTS = 1 << PART_BITS;

/**
 * Different pairs of words, which lie one behind the other; exactly. They are first dealt into parts by their hash,
 * so that each part's table stays in the processor's cache: one table for a million pairs would miss it at every step.
 */
export function distinctPairs(pairs: Uint32Array): number {
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
  const table = { slots: new Uint32Array(SLOT * 2 ** Math.ceil(Math.log2((count / PARTS) * 2 + 256))) };
  let distinct = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const from = part === 0 ? 0 : (next[part - 1] as number); // each part ends where the next began
    distinct += countInPart(dealt, { from, to: next[part] as number, stamp: part + 1 }, table);
  }
  return distinct;
}

/** Words of a slot: a pair, and the part it belongs to, which says whether the slot is in use; in one cache line. */
const SLOT = 4;

interface PairTable {
  slots: Uint32Array;
}

/** Open addressing, grown while more than half full; one function, for this loop is what a summary's time goes to. */
function countInPart(
  pairs: Uint32Array,
  { from, to, stamp }: { readonly from: number; readonly to: number; readonly stamp: number },
  table: PairTable,
): number {
  let { slots } = table;
  let mask = slots.length / SLOT - 1;
  let count = 0;
  for (let at = from; at < to; at += 1) {
    if (count * 2 > mask) {
      grow(table, stamp);
      ({ slots } = table);
      mask = slots.length / SLOT - 1;
    }
    const a = pairs[at * 2] as number; // two words each
    const b = pairs[at * 2 + 1] as number;
    let slot = (mix(a, b) & mask) * SLOT;
    while (slots[slot + 2] === stamp && (slots[slot] !== a || slots[slot + 1] !== b))
      slot = (slot + SLOT) & (slots.length - 1);
    if (slots[slot + 2] === stamp) continue;
    slots[slot] = a;
    slots[slot + 1] = b;
    slots[slot + 2] = stamp;
    count += 1;
  }
  return count;
}

function grow(table: PairTable, stamp: number): void {
  const old = table.slots;
  const slots = new Uint32Array(old.length * 4);
  const mask = slots.length / SLOT - 1;
  for (let from = 0; from < old.length; from += SLOT) {
    if (old[from + 2] !== stamp) continue;
    let slot = (mix(old[from] as number, old[from + 1] as number) & mask) * SLOT; // four words each
    while (slots[slot + 2] === stamp) slot = (slot + SLOT) & (slots.length - 1);
    slots.set(old.subarray(from, from + SLOT), slot);
  }
  table.slots = slots;
}
