import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Table } from '../columns/readTable.ts';
import type { ExportPieces } from './exportPieces.ts';
import { parquetColumn, type SchemaElement } from './parquetColumn.ts';
import { writeGroup } from './parquetGroup.ts';

/** The first group is small, so that the first bytes go out at once; readers want the others large. */
const FIRST_ROWS = 8_192;
const GROUP_ROWS = 122_880;
const FIRST_BYTES = 1024 * 1024;

/**
 * A view of a table as Parquet, a row group at a time. Pages are not compressed and numbers not looked through for
 * repeats: an export is asked for by somebody who waits, and Snappy alone would double the wait.
 */
export function parquetExport(table: Table, order: Uint32Array | null): ExportPieces {
  const columns = table.columns.map(parquetColumn);
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...uniqueNames(columns.map(({ element }) => element)),
  ];
  const parts = columns.map((column, at) => ({ column, element: schema[at + 1] ?? column.element }));
  const writer = new ByteWriter(FIRST_BYTES);
  const file = new ParquetWriter({
    writer,
    schema,
    codec: 'UNCOMPRESSED',
    statistics: false,
    createdBy: 'Cellar',
  });
  const rows = order?.length ?? table.rows;
  let at = 0;
  let finished = false;
  return {
    next() {
      if (finished) return null;
      const to = Math.min(rows, at + (at === 0 ? FIRST_ROWS : GROUP_ROWS));
      if (to > at) {
        writeGroup({ file, writer }, parts, { order, from: at, to });
        at = to;
      }
      if (at === rows) {
        finished = true;
        void file.finish();
      }
      return taken(writer);
    },
    // A group is as large as it is: its memory would seldom do for the next.
    reuse: () => undefined,
    end: () => undefined,
  };
}

/** The bytes written since the last piece, given away; offsets in the file go on counting. */
function taken(writer: ByteWriter): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(writer.buffer, 0, writer.index);
  // The next group needs about as much as the last whole one; untouched memory costs nothing.
  writer.buffer = new ArrayBuffer(Math.max(FIRST_BYTES, Math.ceil(writer.index * 1.1)));
  writer.view = new DataView(writer.buffer);
  writer.index = 0;
  return piece;
}

/** Parquet names its columns; pandas allows one name twice. */
function uniqueNames(elements: readonly SchemaElement[]): SchemaElement[] {
  const seen = new Set<string>();
  return elements.map((element) => {
    let { name } = element;
    for (let number = 2; seen.has(name); number += 1) name = `${element.name}_${number}`;
    seen.add(name);
    return { ...element, name };
  });
}
