/** Writes the rows of a CSV export in parts, which two threads can make in any order. */

import type { Table } from '../columns/readTable.ts';
import type { CsvPart } from '../summary/loan.ts';
import { ByteSink } from './byteSink.ts';
import { writeQuoted } from './csvField.ts';
import { rowWriter } from './csvLane.ts';

/** How much longer than requested a piece may be, because rows are written whole. */
const SLACK = 64 * 1024;
const PIECE = 1024 * 1024;
/** Memory for one part. */
export const PART_BYTES = PIECE + SLACK;

export interface CsvRows {
  /** Rows from `from` to `to`, or until the piece is full; in the given memory (PART_BYTES) if they fit. */
  part(rows: {
    readonly from: number;
    readonly to: number;
    readonly into: SharedArrayBuffer | null;
  }): CsvPart;
  /** The header line and the rows that fit into this many bytes. */
  first(bytes: number): CsvPart;
}

/** Rows of a view of a table as CSV (RFC 4180, UTF-8), in parts that can be written in any order. */
export function csvRows(table: Table, order: Uint32Array | null): CsvRows {
  const write = rowWriter(table.columns);
  // Readers skip blank lines, so a null that is alone on its line is written as an empty text.
  const isAlone = table.columns.length === 1;
  const total = order?.length ?? table.rows;
  const fill = (
    sink: ByteSink,
    rows: { readonly from: number; readonly to: number; readonly bytes: number },
  ) => {
    let at = rows.from;
    while (at < rows.to && sink.used < rows.bytes) {
      const row = order === null ? at : (order[at] as number); // below its length
      const start = sink.used;
      write(sink, row);
      if (isAlone && sink.used === start) writeQuoted(sink, EMPTY);
      endLine(sink);
      at += 1;
    }
    return { bytes: sink.take(0), reached: at };
  };
  return {
    part: ({ from, to, into }) => fill(new ByteSink(into ?? PART_BYTES), { from, to, bytes: PIECE }),
    first(bytes) {
      const sink = new ByteSink(Math.min(bytes, PIECE) + SLACK);
      table.columns.forEach(({ name }, column) => {
        if (column > 0) sink.byte(44);
        writeQuoted(sink, Buffer.from(name));
      });
      endLine(sink);
      return fill(sink, { from: 0, to: total, bytes });
    },
  };
}

const EMPTY = new Uint8Array(0);

function endLine(sink: ByteSink): void {
  sink.reserve(2);
  sink.bytes[sink.used++] = 13;
  sink.bytes[sink.used++] = 10;
}
