/** Writes whole rows of a CSV export quickly. */

import { type Column, statesOf } from '../columns/column.ts';
import { flatText } from '../columns/flatText.ts';
import type { ByteSink } from './byteSink.ts';
import { type FieldWriter, fieldWriter } from './csvField.ts';
import { FLOAT_BYTES, writeFloat, writeWhole } from './floatText.ts';

/**
 * One column prepared for writing rows. The most common kinds have direct access to their memory here, so that one loop
 * writes a row: a call through a closure for each field would cost as much as the field.
 */
interface Lane {
  readonly kind: number;
  readonly doubles: Float64Array;
  /** Two words for each integer. */
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array | Float64Array;
  readonly field: FieldWriter;
}

const OTHER = 0;
const DOUBLE = 1;
const LONG = 2;
const TEXT = 3;

const COMMA = 44;
const MINUS = 45;
const QUOTE = 34;
const SAFE_HIGH = 2 ** 21;
/** The maximum length of texts that are copied in this loop; the runtime copies longer ones. */
const SHORT = 64;

type RowWriter = (sink: ByteSink, row: number) => void;

/** Writes the fields of a row, separated by commas. */
export function rowWriter(columns: readonly Column[]): RowWriter {
  const lanes = columns.map(laneOf);
  const room = lanes.length * (FLOAT_BYTES + 1);
  return (sink, row) => {
    sink.reserve(room);
    let out = sink.bytes;
    let view = sink.view;
    let at = sink.used;
    for (let index = 0; index < lanes.length; index += 1) {
      if (index > 0) out[at++] = COMMA;
      const lane = lanes[index] as Lane; // below its length
      switch (lane.kind) {
        case DOUBLE:
          at = writeFloat(view, at, lane.doubles[row] as number); // every row has one
          continue;
        case LONG: {
          const high = lane.words[row * 2 + 1] as number;
          if (high < -SAFE_HIGH || high >= SAFE_HIGH) break;
          let value = high * 0x100000000 + ((lane.words[row * 2] as number) >>> 0);
          if (value < 0) {
            out[at++] = MINUS;
            value = -value;
          }
          at = writeWhole(view, at, value);
          continue;
        }
        case TEXT: {
          const from = lane.offsets[row] as number; // one more than rows
          const size = (lane.offsets[row + 1] as number) - from;
          if (size === 0 || size > SHORT) break;
          if (at + size + room > out.length) {
            sink.used = at;
            sink.reserve(size + room);
            out = sink.bytes;
            view = sink.view;
          }
          const { bytes } = lane;
          for (let byte = 0; byte < size; byte += 1) out[at + byte] = bytes[from + byte] as number;
          at += size;
          continue;
        }
        default:
      }
      sink.used = at;
      lane.field(sink, row);
      sink.reserve(room);
      out = sink.bytes;
      view = sink.view;
      at = sink.used;
    }
    sink.used = at;
  };
}

const NO_DOUBLES = new Float64Array(0);
const NO_WORDS = new Int32Array(0);
const NO_BYTES = new Uint8Array(0);

function laneOf(column: Column): Lane {
  const other: Lane = {
    kind: OTHER,
    doubles: NO_DOUBLES,
    words: NO_WORDS,
    bytes: NO_BYTES,
    offsets: NO_WORDS,
    field: fieldWriter(column),
  };
  const { type, chunks } = column;
  const [only] = chunks;
  if (type.kind === 'text') {
    if (statesOf(column) !== null) return other;
    const { bytes, offsets } = flatText(column);
    return needsQuotes(bytes) ? other : { ...other, kind: TEXT, bytes, offsets };
  }
  if (only === undefined || chunks.length > 1 || only.valid !== null) return other;
  if (only.values instanceof Float64Array) return { ...other, kind: DOUBLE, doubles: only.values };
  if (type.kind === 'int' && type.bits === 64 && type.signed) {
    const { buffer, byteOffset, byteLength } = only.values;
    return { ...other, kind: LONG, words: new Int32Array(buffer, byteOffset, byteLength >> 2) };
  }
  return other;
}

/** Whether any text of a column contains a byte that requires quotes; the runtime searches megabytes quickly. */
function needsQuotes({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return [COMMA, QUOTE, 10, 13].some((byte) => bytes.includes(byte));
}
