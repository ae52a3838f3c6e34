/** Numbers the distinct texts of a column whose texts repeat, for summaries, searches and smaller Parquet exports. */

import type { FlatText } from './flatText.ts';

/** Row groups with more distinct texts than this get no dictionary. */
const MAX_ENTRIES = 4096;
const SLOTS = MAX_ENTRIES * 4;
const NONE = 0xffff;

/** Rows of a column: `list`, or `count` rows in stored order from `from`. */
export interface TextRows {
  readonly list: Uint32Array | null;
  readonly from: number;
  readonly count: number;
}

interface TextCodes {
  readonly codes: Uint16Array;
  /** The first row with the text, by code. */
  readonly firstRows: Uint32Array;
}

/** Numbers the distinct texts of some rows in order of appearance; null if too few of them repeat. */
export function codesOfTexts(
  { bytes, offsets }: FlatText,
  { list, from, count }: TextRows,
): TextCodes | null {
  const most = Math.min(MAX_ENTRIES, count >> 1);
  const slots = new Uint16Array(SLOTS).fill(NONE);
  const firstRows = new Uint32Array(most);
  const codes = new Uint16Array(count);
  // Limits the search for texts that were made to collide.
  let patience = count * 4 + SLOTS;
  let codeCount = 0;
  for (let at = 0; at < count; at += 1) {
    const row = list === null ? from + at : (list[at] as number); // below its length
    const start = offsets[row] as number;
    const size = (offsets[row + 1] as number) - start;
    let slot = slotOf(bytes, start, size);
    for (;;) {
      const code = slots[slot] as number; // masked
      if (code === NONE) {
        if (codeCount === most) return null;
        slots[slot] = codeCount;
        firstRows[codeCount] = row;
        codes[at] = codeCount;
        codeCount += 1;
        break;
      }
      const first = firstRows[code] as number; // below `codeCount`
      const other = offsets[first] as number;
      if ((offsets[first + 1] as number) - other === size && isSame(bytes, { start, other, size })) {
        codes[at] = code;
        break;
      }
      patience -= 1;
      if (patience === 0) return null;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }
  return { codes, firstRows: firstRows.subarray(0, codeCount) };
}

/** The slot of a text, from its length and up to eight bytes at each end. */
function slotOf(bytes: Uint8Array, start: number, size: number): number {
  let hash = size;
  const near = start + Math.min(size, 8);
  for (let at = start; at < near; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  const end = start + size;
  for (let at = Math.max(near, end - 8); at < end; at += 1)
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function isSame(
  bytes: Uint8Array,
  { start, other, size }: { readonly start: number; readonly other: number; readonly size: number },
): boolean {
  for (let at = 0; at < size; at += 1) if (bytes[start + at] !== bytes[other + at]) return false;
  return true;
}

/** Codes in Parquet's encoding RLE_DICTIONARY: one byte with the bit width of a code, then one bit-packed run. */
export function packCodes(codes: Uint16Array, entries: number): Uint8Array {
  const width = Math.max(1, 32 - Math.clz32(entries - 1));
  const groups = Math.ceil(codes.length / 8);
  const head = runHead(groups);
  const out = new Uint8Array(1 + head.length + groups * width);
  out[0] = width;
  out.set(head, 1);
  let to = 1 + head.length;
  let bits = 0;
  let pendingBits = 0;
  for (let at = 0; at < codes.length; at += 1) {
    pendingBits |= (codes[at] as number) << bits; // below its length; 13 bits after at most 7
    bits += width;
    while (bits >= 8) {
      out[to++] = pendingBits;
      pendingBits >>>= 8;
      bits -= 8;
    }
  }
  if (bits > 0) out[to] = pendingBits;
  return out;
}

/** The length of a bit-packed run, in groups of eight, as a varint. */
export function runHead(groups: number): Uint8Array {
  const bytes: number[] = [];
  let rest = groups * 2 + 1;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
