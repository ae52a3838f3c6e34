/** Searches the displayed text of a table's columns, for the search field and the filters of the data viewer. */

import { cellText } from '../columns/cellValue.ts';
import { isValid, wordsOf } from '../columns/chunk.ts';
import { type Column, codedColumnOf, derive, NULL, statesOf } from '../columns/column.ts';
import { type FlatText, FlatWriter, flatText } from '../columns/flatText.ts';
import { smallTimestampText } from '../columns/temporalText.ts';

/**
 * Marks in `hits` the rows whose displayed text contains `needle`, ignoring case (docs/spec/values.md, 3). Nulls never
 * match. The lower-cased text is computed once per column and cached.
 */
export function searchColumn(column: Column, needle: string, hits: Uint8Array): void {
  const lowered = asSpelled(column, needle.toLowerCase());
  const coded = codedColumnOf(column);
  if (coded !== null) {
    const entries = new Uint8Array(coded.values.rows);
    searchColumn(coded.values, lowered, entries);
    const { codes } = coded;
    for (let row = 0; row < codes.length; row += 1) {
      const code = codes[row] ?? -1;
      if (code >= 0 && entries[code] === 1) hits[row] = 1;
    }
    return;
  }
  if (cannotHold(column, lowered)) return;
  const states = statesOf(column);
  if (lowered === '') {
    for (let row = 0; row < hits.length; row += 1) if (states?.[row] !== NULL) hits[row] = 1;
    return;
  }
  scan(loweredText(column), Buffer.from(lowered), (row) => {
    if (states === null || states[row] !== NULL) hits[row] = 1;
  });
}

/**
 * The needle in the form of the displayed text: users write a time with a space between date and hour, where the
 * displayed text has ISO's `T`.
 */
function asSpelled({ type }: Column, lowered: string): string {
  return type.kind === 'timestamp' ? lowered.replace(/(?<=\d) (?=\d)/, 't') : lowered;
}

/** The characters that the displayed text of a kind can contain, in lower case. */
const LETTERS: Partial<Record<Column['type']['kind'], RegExp>> = {
  bool: /^[truefals]*$/,
  int: /^[0-9-]*$/,
  float: /^[0-9.+\-einftya]*$/,
  decimal: /^[0-9.-]*$/,
  date: /^[0-9+-]*$/,
  time: /^[0-9:.]*$/,
  timestamp: /^[0-9:.+\-t]*$/,
  duration: /^[0-9:.\-days, ]*$/,
  null: /^$/,
};

/**
 * Whether a column's kind cannot contain the text. Most searches are for words, and formatting a million numbers
 * without a match would be the whole cost.
 */
function cannotHold(column: Column, lowered: string): boolean {
  const letters = LETTERS[column.type.kind];
  return letters !== undefined && !letters.test(lowered);
}

function loweredText(column: Column): FlatText {
  return derive(
    column,
    'lowered',
    () => (column.type.kind === 'text' ? lowerFlat(flatText(column)) : lowerShown(column)),
    ({ bytes, offsets }) => bytes.byteLength + offsets.byteLength,
  );
}

function lowerFlat({ bytes, offsets }: FlatText): FlatText {
  const rows = Math.max(0, offsets.length - 1);
  const lowered = new Uint8Array(bytes.length);
  let allBits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    allBits |= byte;
    lowered[at] = byte >= 65 && byte <= 90 ? byte | 32 : byte;
  }
  if (allBits < 0x80) return { bytes: lowered, offsets };
  const writer = new FlatWriter(rows);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0; row < rows; row += 1) {
    const from = offsets[row] ?? 0;
    const to = offsets[row + 1] ?? 0;
    if (isAscii(bytes, from, to)) writer.bytes(lowered.subarray(from, to));
    else writer.text(source.toString('utf8', from, to).toLowerCase());
  }
  return writer.done();
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((bytes[at] ?? 0) >= 0x80) return false;
  return true;
}

/** Below this high word, a 64-bit count is exact in a double. */
const EXACT_HIGH = 0x200000;

function lowerShown(column: Column): FlatText {
  const writer = new FlatWriter(column.rows);
  const { type } = column;
  for (const chunk of column.chunks) {
    if (type.kind === 'float' && type.bits !== 16) {
      const values = chunk.values as Float64Array;
      for (let index = 0; index < chunk.length; index += 1) {
        const value = values[index] ?? 0;
        writer.ascii(Number.isFinite(value) ? String(value) : String(value).toLowerCase());
      }
    } else if (type.kind === 'int' && type.bits === 64) {
      const words = wordsOf(chunk);
      for (let index = 0; index < chunk.length; index += 1) {
        const high = words[index * 2 + 1] ?? 0;
        // Small enough for a double; others are formatted exactly.
        if (high < EXACT_HIGH) writer.ascii(String(high * 0x100000000 + (words[index * 2] ?? 0)));
        else writer.ascii(isValid(chunk, index) ? String(cellText(chunk, index)) : '');
      }
    } else if (type.kind === 'timestamp') {
      const words = new Int32Array(chunk.values.buffer, chunk.values.byteOffset, chunk.length * 2);
      for (let index = 0; index < chunk.length; index += 1) {
        const high = words[index * 2 + 1] ?? 0;
        const low = (words[index * 2] ?? 0) >>> 0;
        if (high >= -EXACT_HIGH && high < EXACT_HIGH) {
          writer.ascii(smallTimestampText(high * 0x100000000 + low, type.unit, type.zone).toLowerCase());
        } else writer.ascii((cellText(chunk, index) ?? '').toLowerCase());
      }
    } else if (type.kind === 'int') {
      const values = chunk.values as Int32Array;
      for (let index = 0; index < chunk.length; index += 1) writer.ascii(String(values[index] ?? 0));
    } else {
      for (let index = 0; index < chunk.length; index += 1) {
        writer.text((cellText(chunk, index) ?? '').toLowerCase());
      }
    }
  }
  return writer.done();
}

/** Rows after which the frequency of matches is estimated. */
const PROBE = 1 << 16;

/**
 * Calls back once per row that contains the needle. The runtime's own search is fastest if matches are rare; if there
 * are many, its calls cost more than a plain loop.
 */
function scan({ bytes, offsets }: FlatText, needle: Buffer, onMatch: (row: number) => void): void {
  const rows = Math.max(0, offsets.length - 1);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, offsets[rows] ?? 0);
  const size = needle.length;
  let row = 0;
  let hits = 0;
  for (let at = text.indexOf(needle, offsets[0] ?? 0); at >= 0; ) {
    while ((offsets[row + 1] ?? Number.POSITIVE_INFINITY) <= at) row += 1;
    if (row >= rows) return;
    const end = offsets[row + 1] ?? 0;
    // A match across the end of a row does not count; the next may start one byte later.
    if (at + size > end) {
      at = text.indexOf(needle, at + 1);
      continue;
    }
    onMatch(row);
    hits += 1;
    if (row >= PROBE && hits * 16 > row) {
      scanRows(text, { offsets, needle, from: row + 1 }, onMatch);
      return;
    }
    at = text.indexOf(needle, end);
  }
}

function scanRows(
  bytes: Uint8Array,
  where: { readonly offsets: FlatText['offsets']; readonly needle: Uint8Array; readonly from: number },
  onMatch: (row: number) => void,
): void {
  const { offsets, needle, from } = where;
  const size = needle.length;
  const first = needle[0] ?? 0;
  const rows = offsets.length - 1;
  for (let row = from; row < rows; row += 1) {
    const last = (offsets[row + 1] ?? 0) - size;
    for (let at = offsets[row] ?? 0; at <= last; at += 1) {
      if (bytes[at] !== first) continue;
      let same = 1;
      while (same < size && bytes[at + same] === needle[same]) same += 1;
      if (same < size) continue;
      onMatch(row);
      break;
    }
  }
}
