import { ByteSink } from './byteSink.ts';
import { writeQuoted } from './csvField.ts';
import { rowWriter } from './csvLane.ts';
import type { Table } from './readTable.ts';
import type { ExportPieces } from './tableExport.ts';

/** The first piece is on its way before much has been written. */
const FIRST_PIECE = 64 * 1024;
const PIECE = 1024 * 1024;
/** A row is written whole, so a piece may be a little longer than asked for. */
const SLACK = 64 * 1024;

/** A view of a table as CSV (RFC 4180, UTF-8, one header line), a piece at a time. */
export function csvExport(table: Table, order: Uint32Array | null): ExportPieces {
  const sink = new ByteSink(FIRST_PIECE + SLACK);
  const write = rowWriter(table.columns);
  const isAlone = table.columns.length === 1;
  const rows = order?.length ?? table.rows;
  // Readers skip blank lines, so a null that is all of its line is written as an empty text.
  let at = 0;
  let limit = FIRST_PIECE;
  table.columns.forEach(({ name }, column) => {
    if (column > 0) sink.byte(44);
    writeQuoted(sink, Buffer.from(name));
  });
  endLine(sink);
  return {
    next() {
      if (at === rows && sink.used === 0) return null;
      while (at < rows && sink.used < limit) {
        const row = order === null ? at : (order[at] as number); // below its length
        const start = sink.used;
        write(sink, row);
        if (isAlone && sink.used === start) writeQuoted(sink, EMPTY);
        endLine(sink);
        at += 1;
      }
      limit = PIECE;
      return sink.take(at === rows ? 0 : PIECE + SLACK);
    },
  };
}

const EMPTY = new Uint8Array(0);

function endLine(sink: ByteSink): void {
  sink.reserve(2);
  sink.bytes[sink.used++] = 13;
  sink.bytes[sink.used++] = 10;
}
