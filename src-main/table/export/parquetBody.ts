/** Encodes the values of a column's rows for a page of a Parquet export. */

import { bytesOf, wordsOf } from '../columns/chunk.ts';
import type { Column } from '../columns/column.ts';
import { NULL, statesOf } from '../columns/column.ts';
import type { FlatText } from '../columns/flatText.ts';
import { flatText } from '../columns/flatText.ts';
import { codesOfTexts, packCodes, type TextRows } from '../columns/textCodes.ts';

/** Rows of a view: `from` to `to` of its order, or of the table itself. */
export interface Rows {
  readonly order: Uint32Array | null;
  readonly from: number;
  readonly to: number;
}

/**
 * The values of some rows of a column in the layout of a Parquet page, made from memory without an object for each
 * value.
 */
export interface ParquetBody {
  /** The values that are not null, in the page's encoding. */
  readonly bytes: Uint8Array;
  /** One bit per row, set = not null; null if no row of the column is null. */
  readonly present: Uint8Array | null;
  readonly nulls: number;
  /** Distinct texts; `bytes` then has indices into them. */
  readonly dictionary: { readonly bytes: Uint8Array; readonly entries: number } | null;
}

interface Picked {
  /** Row numbers that have a value; null = `from` to `to` in stored order. */
  readonly list: Uint32Array | null;
  readonly count: number;
  readonly present: Uint8Array | null;
  readonly nulls: number;
}

function pick(column: Column, { order, from, to }: Rows): Picked {
  const count = to - from;
  const hasNulls = column.chunks.some(({ valid }) => valid !== null);
  if (!hasNulls) {
    return { list: order === null ? null : order.subarray(from, to), count, present: null, nulls: 0 };
  }
  const states = statesOf(column);
  const list = new Uint32Array(count);
  const present = new Uint8Array(Math.ceil(count / 8));
  let keptCount = 0;
  for (let at = 0; at < count; at += 1) {
    const row = order === null ? from + at : (order[from + at] as number); // below its length
    const is = states !== null && states[row] === NULL ? 0 : 1;
    // Always written, but only counted if there is a value.
    list[keptCount] = row;
    keptCount += is;
    present[at >> 3] = (present[at >> 3] as number) | (is << (at & 7)); // below its length
  }
  return { list: list.subarray(0, keptCount), count: keptCount, present, nulls: count - keptCount };
}

/** Values of 4 or 8 bytes with the same layout in Arrow and Parquet. */
export function fixedBody(column: Column, rows: Rows, width: 4 | 8): ParquetBody {
  const { list, count, present, nulls } = pick(column, rows);
  const bytes = list === null ? copied(column, rows, width) : gathered(column, list, width);
  return { bytes: bytes.subarray(0, count * width), present, nulls, dictionary: null };
}

function copied(column: Column, { from, to }: Rows, width: number): Uint8Array {
  const bytes = new Uint8Array((to - from) * width);
  column.chunks.forEach((chunk, at) => {
    const start = column.starts[at] ?? 0;
    const first = Math.max(from, start);
    const last = Math.min(to, start + chunk.length);
    if (first >= last) return;
    const part = bytesOf(chunk).subarray((first - start) * width, (last - start) * width);
    bytes.set(part, (first - from) * width);
  });
  return bytes;
}

/** Copied as integers, so that a NaN keeps its bits. */
function gathered(column: Column, list: Uint32Array, width: 4 | 8): Uint8Array {
  const stride = width / 4;
  const target = new Uint32Array(list.length * stride);
  const words = column.chunks.map(wordsOf);
  let chunk = -1;
  let start = 0;
  let end = 0;
  let source: Uint32Array = new Uint32Array(0);
  for (let at = 0; at < list.length; at += 1) {
    const row = list[at] as number; // below its length
    if (row < start || row >= end) {
      chunk = column.starts.findLastIndex((first) => first <= row);
      start = column.starts[chunk] ?? 0;
      end = start + (column.chunks[chunk]?.length ?? 0);
      source = words[chunk] ?? source;
    }
    const from = (row - start) * stride;
    target[at * stride] = source[from] as number;
    if (stride === 2) target[at * 2 + 1] = source[from + 1] as number;
  }
  return new Uint8Array(target.buffer);
}

/** Texts through a dictionary if they repeat, else each after its length. */
export function textBody(column: Column, rows: Rows): ParquetBody {
  const { list, count, present, nulls } = pick(column, rows);
  const texts = flatText(column);
  const span = { list, from: rows.from, count };
  const coded = codesOfTexts(texts, span);
  if (coded === null) return { bytes: plainTexts(texts, span), present, nulls, dictionary: null };
  const dictionary = {
    bytes: plainTexts(texts, { list: coded.firstRows, from: 0, count: coded.firstRows.length }),
    entries: coded.firstRows.length,
  };
  return { bytes: packCodes(coded.codes, coded.firstRows.length), present, nulls, dictionary };
}

function plainTexts({ bytes, offsets }: FlatText, { list, from, count }: TextRows): Uint8Array {
  let size = count * 4;
  for (let at = 0; at < count; at += 1) {
    const row = list === null ? from + at : (list[at] as number); // below its length
    size += (offsets[row + 1] as number) - (offsets[row] as number);
  }
  const out = new Uint8Array(size);
  let used = 0;
  for (let at = 0; at < count; at += 1) {
    const row = list === null ? from + at : (list[at] as number); // below its length
    const start = offsets[row] as number;
    const end = offsets[row + 1] as number;
    const length = end - start;
    out[used] = length;
    out[used + 1] = length >>> 8;
    out[used + 2] = length >>> 16;
    out[used + 3] = length >>> 24;
    used += 4;
    if (length > 64) out.set(bytes.subarray(start, end), used);
    else for (let index = 0; index < length; index += 1) out[used + index] = bytes[start + index] as number;
    used += length;
  }
  return out;
}
