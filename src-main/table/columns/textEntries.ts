/** The distinct texts of a column whose texts repeat, so that searches and filters compare each text once. */

import { type Column, derive, makeColumn } from './column.ts';
import { flatText } from './flatText.ts';
import { codesOfTexts } from './textCodes.ts';

/** A text column as codes into its distinct texts; a null row has an arbitrary code. */
interface TextEntries {
  readonly codes: Uint16Array;
  /** One row per distinct text. */
  readonly values: Column;
  /** The size of all of it, with the lower-case copy of the texts that searches make. */
  readonly bytes: number;
}

/** The maximum size of all distinct texts in bytes: their offsets have 32 bits. */
const MAX_BYTES = 1 << 26;

/**
 * The distinct texts; null if the column has no texts, or too few of them repeat. Computed once per column and cached.
 */
export function textEntries(column: Column): TextEntries | null {
  if (column.type.kind !== 'text' || column.rows === 0) return null;
  return derive(
    column,
    'entries',
    () => computeEntries(column),
    (entries) => entries?.bytes ?? 0,
  );
}

function computeEntries(column: Column): TextEntries | null {
  const { bytes, offsets } = flatText(column);
  const coded = codesOfTexts({ bytes, offsets }, { list: null, from: 0, count: column.rows });
  if (coded === null) return null;
  const { codes, firstRows } = coded;
  const starts = new Int32Array(firstRows.length + 1);
  let used = 0;
  for (const [entry, row] of firstRows.entries()) {
    used += (offsets[row + 1] ?? 0) - (offsets[row] ?? 0);
    if (used > MAX_BYTES) return null;
    starts[entry + 1] = used;
  }
  const texts = new Uint8Array(used);
  for (const [entry, row] of firstRows.entries())
    texts.set(bytes.subarray(offsets[row], offsets[row + 1]), starts[entry]);
  const type = { kind: 'text', layout: 'small' } as const;
  const chunk = {
    type,
    length: firstRows.length,
    valid: null,
    values: texts,
    offsets: starts,
    codes: new Int8Array(0),
    views: [],
    children: [],
    dictionary: [],
    dictionaryId: null,
  };
  const { name, fieldName } = column;
  const values = makeColumn({ name, fieldName }, { type, chunks: [chunk] });
  return { codes, values, bytes: codes.byteLength + 2 * (texts.length + starts.byteLength) };
}
