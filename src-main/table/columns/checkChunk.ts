/** Checks the memory of an untrusted Arrow table before the data viewer reads it. */

import type { ArrowType } from './arrowType.ts';
import { type Chunk, isValid } from './chunk.ts';
import { DamagedArrow } from './flatBuffer.ts';

/**
 * Checks that the memory of a chunk holds as many values as it declares, and that its offsets and indices are in range.
 * Checked once when a table is opened, so that later reads need no checks.
 * @throws DamagedArrow with the problem
 */
export function checkChunk(chunk: Chunk): void {
  const { type, length, valid } = chunk;
  if (valid !== null) need(valid.byteLength * 8, length);
  switch (type.kind) {
    case 'null':
      return;
    case 'text':
    case 'bytes':
      if (type.layout === 'view') checkViews(chunk);
      else checkOffsets(chunk, chunk.values.byteLength);
      return;
    case 'list':
    case 'map':
      checkOffsets(chunk, childOf(chunk).length);
      return;
    case 'fixed_list':
      need(childOf(chunk).length, length * type.size);
      return;
    case 'struct':
      for (const child of chunk.children) need(child.length, length);
      return;
    case 'union':
      checkUnion(chunk, type);
      return;
    case 'dictionary':
      need(chunk.values.byteLength * 8, length * bitsOf(type.index));
      checkCodes(chunk);
      return;
    default:
      need(chunk.values.byteLength * 8, length * bitsOf(type));
      return;
  }
}

function need(have: number, needed: number): void {
  if (have < needed) throw new DamagedArrow('it declares more values than it contains');
}

function childOf(chunk: Chunk): Chunk {
  const [child] = chunk.children;
  if (child === undefined) throw new DamagedArrow('a list of it has no items');
  return child;
}

/** The bits of one value of a fixed-width type. */
function bitsOf(type: ArrowType): number {
  switch (type.kind) {
    case 'bool':
      return 1;
    case 'int':
    case 'float':
    case 'decimal':
    case 'time':
      return type.bits;
    case 'date':
      return type.unit === 'day' ? 32 : 64;
    case 'timestamp':
    case 'duration':
      return 64;
    case 'interval':
      return { year_month: 32, day_time: 64, month_day_nano: 128 }[type.unit];
    case 'fixed_bytes':
      return type.width * 8;
    default:
      return 0;
  }
}

/** Offsets must not decrease, and the last one must be within the data. */
function checkOffsets({ offsets, length }: Chunk, items: number): void {
  if (length === 0) return;
  need(offsets.length, length + 1);
  const last = offsets instanceof Int32Array ? lastOf(offsets, length) : lastOfLarge(offsets, length);
  if (last === null) throw new DamagedArrow('its values overlap');
  need(items, last);
}

function lastOf(offsets: Int32Array, length: number): number | null {
  let before = 0;
  for (let at = 0; at <= length; at += 1) {
    const offset = offsets[at] as number; // there are length + 1
    if (offset < before) return null;
    before = offset;
  }
  return before;
}

function lastOfLarge(offsets: BigInt64Array, length: number): number | null {
  // Read as 32-bit halves, since a BigInt for each would be slow.
  const words = new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length * 2);
  let before = 0;
  for (let at = 0; at <= length; at += 1) {
    const offset = ((words[at * 2] as number) >>> 0) + (words[at * 2 + 1] as number) * 0x100000000; // two words each
    if (offset < before) return null;
    before = offset;
  }
  return before;
}

/** The code of every row that is not null must be an index of the dictionary. */
function checkCodes(chunk: Chunk): void {
  const entries = chunk.dictionary.reduce((sum, part) => sum + part.length, 0);
  const codes = chunk.values as Int32Array | BigInt64Array; // indices are integers of some width
  for (let at = 0; at < chunk.length; at += 1) {
    const code = codes[at] as number | bigint; // there are `length`
    if ((code < 0 || code >= entries) && isValid(chunk, at))
      throw new DamagedArrow('a value of it is not in its dictionary');
  }
}

function checkViews({ values, views, length }: Chunk): void {
  need(values.byteLength, length * 16);
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  for (let at = 0; at < length * 16; at += 16) {
    const size = view.getInt32(at, true);
    if (size < 0) throw new DamagedArrow('a text of it has a negative length');
    if (size <= 12) continue;
    const start = view.getInt32(at + 12, true);
    if (start < 0) throw new DamagedArrow('a text starts before its data');
    need(views[view.getInt32(at + 8, true)]?.byteLength ?? 0, start + size);
  }
}

function checkUnion(chunk: Chunk, type: Extract<ArrowType, { readonly kind: 'union' }>): void {
  const { codes, offsets, children, length } = chunk;
  need(codes.length, length);
  if (!type.dense) {
    for (const child of children) need(child.length, length);
    return;
  }
  need(offsets.length, length);
  for (let at = 0; at < length; at += 1) {
    const child = children[type.codes.indexOf(codes[at] as number)]; // there are `length`
    const offset = Number(offsets[at]);
    if (child === undefined || offset < 0) throw new DamagedArrow('a value of it has no type');
    need(child.length, offset + 1);
  }
}
