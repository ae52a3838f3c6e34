/** Writes single fields of a CSV export, by the type of their column. */

import { cellText, floatAt } from '../columns/cellValue.ts';
import { type Chunk, isValid, valueBytes } from '../columns/chunk.ts';
import { type Column, chunkOf, codedColumnOf, NULL, statesOf } from '../columns/column.ts';
import { flatText } from '../columns/flatText.ts';
import type { ByteSink } from './byteSink.ts';
import { FLOAT_BYTES, writeAscii, writeFloat, writeWhole } from './floatText.ts';

/** Writes one row's field of one column; writes nothing for null. */
export type FieldWriter = (sink: ByteSink, row: number) => void;

const QUOTE = 34;
const COMMA = 44;
const LINE_FEED = 10;
const RETURN = 13;
const MINUS = 45;
const SAFE_HIGH = 2 ** 21;

/**
 * How a column's values are written (RFC 4180): numbers and times as on a page, all bytes as hex, nested values as
 * JSON. An empty text is `""`, to distinguish it from null.
 */
export function fieldWriter(column: Column): FieldWriter {
  const coded = codedColumnOf(column);
  if (coded !== null) return codedField(coded.codes, coded.values);
  const { type } = column;
  switch (type.kind) {
    case 'float':
      return type.bits === 64 ? doubleField(column) : narrowField(column);
    case 'int':
      return type.bits === 64 ? longField(column, type.signed) : wholeField(column);
    case 'text':
      return flatField(column);
    case 'bytes':
    case 'fixed_bytes':
      return eachField(column, (sink, chunk, index) =>
        writeQuoted(sink, Buffer.from(Buffer.from(valueBytes(chunk, index)).toString('hex'))),
      );
    default:
      return textField(column);
  }
}

/** Finds a row's chunk; rows mostly come in order, so the last chunk is tried first. */
function eachField(
  column: Column,
  write: (sink: ByteSink, chunk: Chunk, index: number) => void,
): FieldWriter {
  const { chunks, starts } = column;
  let at = 0;
  let start = 0;
  let end = -1;
  return (sink, row) => {
    if (row < start || row >= end) {
      at = chunkOf(starts, row);
      start = starts[at] ?? 0;
      end = start + (chunks[at]?.length ?? 0);
    }
    const chunk = chunks[at];
    if (chunk === undefined) return;
    const index = row - start;
    if (chunk.valid === null || isValid(chunk, index)) write(sink, chunk, index);
  };
}

function doubleField(column: Column): FieldWriter {
  return eachField(column, (sink, chunk, index) => {
    sink.reserve(FLOAT_BYTES);
    sink.used = writeFloat(sink.view, sink.used, (chunk.values as Float64Array)[index] as number);
  });
}

function narrowField(column: Column): FieldWriter {
  return eachField(column, (sink, chunk, index) => {
    sink.reserve(FLOAT_BYTES);
    sink.used = writeFloat(sink.view, sink.used, floatAt(chunk, index));
  });
}

function wholeField(column: Column): FieldWriter {
  return eachField(column, (sink, chunk, index) => {
    sink.reserve(FLOAT_BYTES);
    writeSigned(sink, (chunk.values as Int32Array)[index] as number);
  });
}

/** Writes 64-bit integers by their two halves: a BigInt for each value would cost more than all the rest. */
function longField(column: Column, signed: boolean): FieldWriter {
  const halves = new Map<Chunk, { readonly high: Int32Array; readonly low: Uint32Array }>();
  for (const chunk of column.chunks) {
    const { buffer, byteOffset } = chunk.values;
    const count = chunk.length * 2;
    halves.set(chunk, {
      high: new Int32Array(buffer, byteOffset, count),
      low: new Uint32Array(buffer, byteOffset, count),
    });
  }
  let last: Chunk | null = null;
  let words = { high: new Int32Array(0), low: new Uint32Array(0) } as {
    readonly high: Int32Array;
    readonly low: Uint32Array;
  };
  return eachField(column, (sink, chunk, index) => {
    if (chunk !== last) {
      words = halves.get(chunk) ?? words;
      last = chunk;
    }
    const high = words.high[index * 2 + 1] as number;
    const low = words.low[index * 2] as number;
    sink.reserve(FLOAT_BYTES);
    if (high >= (signed ? -SAFE_HIGH : 0) && high < SAFE_HIGH) {
      writeSigned(sink, high * 0x100000000 + low);
      return;
    }
    const big = (BigInt(high) << 32n) | BigInt(low);
    sink.used = writeAscii(sink.view, sink.used, String(signed ? big : BigInt.asUintN(64, big)));
  });
}

function writeSigned(sink: ByteSink, value: number): void {
  if (value < 0) sink.bytes[sink.used++] = MINUS;
  sink.used = writeWhole(sink.view, sink.used, Math.abs(value));
}

/** Copies the bytes of texts without decoding them. */
function flatField(column: Column): FieldWriter {
  const { bytes, offsets } = flatText(column);
  const states = statesOf(column);
  return (sink, row) => {
    if (states !== null && states[row] === NULL) return;
    writeQuoted(sink, bytes, offsets[row] as number, offsets[row + 1] as number);
  };
}

function textField(column: Column): FieldWriter {
  return eachField(column, (sink, chunk, index) => {
    const text = cellText(chunk, index);
    if (text !== null) writeQuoted(sink, Buffer.from(text));
  });
}

/** Formats each entry of the dictionary once and copies it from then on. */
function codedField(codes: Int32Array, values: Column): FieldWriter {
  const write = fieldWriter(values);
  const cache: (Uint8Array | undefined)[] = [];
  return (sink, row) => {
    const code = codes[row] ?? -1;
    if (code < 0) return;
    const from = sink.used;
    const entry = cache[code];
    if (entry === undefined) {
      write(sink, code);
      cache[code] = sink.bytes.slice(from, sink.used);
      return;
    }
    sink.reserve(entry.length);
    sink.bytes.set(entry, from);
    sink.used += entry.length;
  };
}

/** A field's text, quoted if it has a comma, a quote or a line break, or is empty. */
export function writeQuoted(sink: ByteSink, bytes: Uint8Array, from = 0, to = bytes.length): void {
  sink.reserve((to - from) * 2 + 2);
  const out = sink.bytes;
  let at = sink.used;
  let special = to === from;
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] as number;
    out[at++] = byte;
    if (byte <= COMMA && (byte === COMMA || byte === QUOTE || byte === LINE_FEED || byte === RETURN))
      special = true;
  }
  if (!special) {
    sink.used = at;
    return;
  }
  at = sink.used;
  out[at++] = QUOTE;
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] as number;
    if (byte === QUOTE) out[at++] = QUOTE;
    out[at++] = byte;
  }
  out[at++] = QUOTE;
  sink.used = at;
}
