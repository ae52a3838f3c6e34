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
  if (levels.length <= 2) return distinctPairs(first, last);
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
  const first = new Uint32Array(rows.length);
  const second = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
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
    first[at] = a;
    second[at] = b;
  }
  return distinctPairs(first, second);
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
 * Different pairs, exactly. They are first dealt into parts by their hash, so that each part's table stays in the
 * processor's cache: one table for a million pairs would miss it at every step.
 */
function distinctPairs(first: Uint32Array, second: Uint32Array): number {
  const { length } = first;
  const starts = new Uint32Array(PARTS + 1);
  const hashes = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) {
    const hash = mix(first[at] as number, second[at] as number);
    hashes[at] = hash;
    const part = (hash >>> (32 - PART_BITS)) + 1;
    starts[part] = (starts[part] as number) + 1;
  }
  for (let part = 1; part <= PARTS; part += 1)
    starts[part] = (starts[part] as number) + (starts[part - 1] as number);
  const next = starts.slice();
  const dealtFirst = new Uint32Array(length);
  const dealtSecond = new Uint32Array(length);
  for (let at = 0; at < length; at += 1) {
    const part = (hashes[at] as number) >>> (32 - PART_BITS);
    const to = next[part] as number;
    next[part] = to + 1;
    dealtFirst[to] = first[at] as number;
    dealtSecond[to] = second[at] as number;
  }
  let count = 0;
  // Large enough that a part whose pairs are all different is never moved to a larger one.
  const size = 2 ** Math.ceil(Math.log2((length / PARTS) * 2 + 256));
  const table = {
    firsts: new Uint32Array(size),
    seconds: new Uint32Array(size),
    stamps: new Uint32Array(size),
  };
  for (let part = 0; part < PARTS; part += 1) {
    const span = { from: starts[part] as number, to: starts[part + 1] as number, stamp: part + 1 };
    count += countInPart(dealtFirst, dealtSecond, span, table);
  }
  return count;
}

interface PairTable {
  firsts: Uint32Array;
  seconds: Uint32Array;
  /** A slot is in use when its stamp is the current part's. */
  stamps: Uint32Array;
}

/** Open addressing, grown while more than half full; one function, for this loop is what a summary's time goes to. */
function countInPart(
  first: Uint32Array,
  second: Uint32Array,
  { from, to, stamp }: { readonly from: number; readonly to: number; readonly stamp: number },
  table: PairTable,
): number {
  let { firsts, seconds, stamps } = table;
  let mask = stamps.length - 1;
  let count = 0;
  for (let at = from; at < to; at += 1) {
    if (count * 2 > mask) {
      grow(table, stamp);
      ({ firsts, seconds, stamps } = table);
      mask = stamps.length - 1;
    }
    const a = first[at] as number;
    const b = second[at] as number;
    let slot = mix(a, b) & mask;
    while (stamps[slot] === stamp && (firsts[slot] !== a || seconds[slot] !== b)) slot = (slot + 1) & mask;
    if (stamps[slot] === stamp) continue;
    stamps[slot] = stamp;
    firsts[slot] = a;
    seconds[slot] = b;
    count += 1;
  }
  return count;
}

function grow(table: PairTable, stamp: number): void {
  const { firsts, seconds, stamps } = table;
  const size = stamps.length * 4;
  const mask = size - 1;
  table.firsts = new Uint32Array(size);
  table.seconds = new Uint32Array(size);
  table.stamps = new Uint32Array(size);
  for (let old = 0; old < stamps.length; old += 1) {
    if (stamps[old] !== stamp) continue;
    let slot = mix(firsts[old] as number, seconds[old] as number) & mask;
    while (table.stamps[slot] === stamp) slot = (slot + 1) & mask;
    table.stamps[slot] = stamp;
    table.firsts[slot] = firsts[old] as number;
    table.seconds[slot] = seconds[old] as number;
  }
}
