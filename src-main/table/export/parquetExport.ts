/** Exports a table of the data viewer as Parquet, one row group at a time. */

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Table } from '../columns/readTable.ts';
import type { ExportPieces } from './exportPieces.ts';
import { parquetColumn, type SchemaElement } from './parquetColumn.ts';
import { writeGroup } from './parquetGroup.ts';

/** Rows of the first group, which is small, so that the first bytes are sent early; readers want the others large. */
const FIRST_ROWS = 8_192;
const GROUP_ROWS = 122_880;
const FIRST_BYTES = 1024 * 1024;

/**
 * A view of a table as Parquet, one row group at a time. Pages are not compressed, and numbers get no dictionary: a
 * user waits for an export, and Snappy alone would double the time.
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
    // Groups differ in size, so their memory would rarely fit the next one.
    reuse: () => undefined,
    end: () => undefined,
  };
}

/** The bytes written since the last piece, which the caller owns; file offsets continue. */
function taken(writer: ByteWriter): Uint8Array<ArrayBuffer> {
  const piece = new Uint8Array(writer.buffer, 0, writer.index);
  // The next group needs about as much as the last full one; untouched memory costs nothing.
  writer.buffer = new ArrayBuffer(Math.max(FIRST_BYTES, Math.ceil(writer.index * 1.1)));
  writer.view = new DataView(writer.buffer);
  writer.index = 0;
  return piece;
}

/** Column names must be unique in Parquet; pandas allows duplicates. */
function uniqueNames(elements: readonly SchemaElement[]): SchemaElement[] {
  const usedNames = new Set<string>();
  return elements.map((element) => {
    let { name } = element;
    for (let number = 2; usedNames.has(name); number += 1) name = `${element.name}_${number}`;
    usedNames.add(name);
    return { ...element, name };
  });
}
