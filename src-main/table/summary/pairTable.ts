/** A hash table that counts distinct pairs of 32-bit words exactly. */

/** A 32-bit hash that depends on every bit of a pair. */
export function mix(a: number, b: number): number {
  let h = a ^ Math.imul(b, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Words of a slot: a pair, and the part it belongs to, which says whether the slot is in use; all in one cache line.
 */
const SLOT = 4;

interface PairTable {
  slots: Uint32Array;
}

/** Room for this many distinct pairs before it grows. */
export function pairTable(pairs: number): PairTable {
  return { slots: new Uint32Array(SLOT * 2 ** Math.ceil(Math.log2(pairs * 2 + 256))) };
}

/**
 * Counts the pairs of one part. The table has open addressing and grows when more than half full. One function, because
 * a summary spends its time in this loop.
 */
export function countInPart(
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
