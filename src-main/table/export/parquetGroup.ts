/** Writes one row group of a Parquet export. */

import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { runHead } from '../columns/textCodes.ts';
import type { ParquetBody, Rows } from './parquetBody.ts';
import type { ParquetColumn, SchemaElement } from './parquetColumn.ts';

type ColumnChunk = ParquetWriter['row_groups'][number]['columns'][number];

interface Target {
  readonly file: ParquetWriter;
  readonly writer: ByteWriter;
}

/** Writes some rows of all columns as one row group. `elements`: the columns in the schema. */
export function writeGroup(
  { file, writer }: Target,
  columns: readonly { readonly column: ParquetColumn; readonly element: SchemaElement }[],
  rows: Rows,
): void {
  const start = writer.offset;
  const chunks = columns.map(({ column, element }) =>
    column.body === null
      ? writeValues({ file, writer }, { column, element }, rows)
      : writeBody(writer, element, { body: column.body(rows), rows: rows.to - rows.from }),
  );
  const num_rows = BigInt(rows.to - rows.from);
  file.num_rows += num_rows;
  file.row_groups.push({
    columns: chunks,
    total_byte_size: chunks.reduce(
      (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
      0n,
    ),
    num_rows,
    total_compressed_size: BigInt(writer.offset - start),
  });
}

/** Writes one value at a time, with the library. */
function writeValues(
  { file, writer }: Target,
  { column, element }: { readonly column: ParquetColumn; readonly element: SchemaElement },
  rows: Rows,
): ColumnChunk {
  const values = column.values(rows) as unknown[]; // also typed arrays, as the library's documentation says
  const optional = element.repetition_type === 'OPTIONAL';
  const { encoding } = column;
  return writeColumn({
    writer,
    column: {
      columnName: element.name,
      element,
      schemaPath: [...file.schema.slice(0, 1), element],
      codec: 'UNCOMPRESSED',
      compressors: {},
      stats: false,
      pageSize: 0,
      columnIndex: false,
      offsetIndex: false,
      ...(encoding === undefined ? {} : { encoding }),
    },
    pageData: {
      values,
      definitionLevels: optional ? Array.from(values, (value) => (value === null ? 0 : 1)) : [],
      repetitionLevels: [],
      maxDefinitionLevel: optional ? 1 : 0,
    },
  }).chunk;
}

/** Writes the encoded bytes after Parquet's page headers: a dictionary page if there is one, and one data page. */
function writeBody(
  writer: ByteWriter,
  element: SchemaElement,
  { body, rows }: { readonly body: ParquetBody; readonly rows: number },
): ColumnChunk {
  if (element.type === undefined) throw new Error(`column ${element.name} has no type`);
  const start = writer.offset;
  const { dictionary, bytes, present, nulls } = body;
  if (dictionary !== null) {
    const { byteLength } = dictionary.bytes;
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: byteLength,
      compressed_page_size: byteLength,
      dictionary_page_header: { num_values: dictionary.entries, encoding: 'PLAIN' },
    });
    writer.appendBytes(dictionary.bytes);
  }
  const page = writer.offset;
  const encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY';
  const head = present === null ? NO_BYTES : runHead(present.length);
  const levels = head.length + (present?.length ?? 0);
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels + bytes.length,
    compressed_page_size: levels + bytes.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels,
      repetition_levels_byte_length: 0,
      is_compressed: false,
    },
  });
  writer.appendBytes(head);
  if (present !== null) writer.appendBytes(present);
  writer.appendBytes(bytes);
  const size = BigInt(writer.offset - start);
  return {
    meta_data: {
      type: element.type,
      encodings: dictionary === null ? ['PLAIN'] : ['PLAIN', 'RLE_DICTIONARY'],
      path_in_schema: [element.name],
      codec: 'UNCOMPRESSED',
      num_values: BigInt(rows),
      total_compressed_size: size,
      total_uncompressed_size: size,
      data_page_offset: BigInt(page),
      ...(dictionary === null ? {} : { dictionary_page_offset: BigInt(start) }),
    },
    file_offset: BigInt(start),
  };
}

const NO_BYTES = new Uint8Array(0);
