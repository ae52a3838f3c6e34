/** Loads a data frame of another cell into DuckDB as a temporary table. */

import { readFileSync, statSync } from 'node:fs';
import { type DuckDBConnection as Connection, DuckDBDataChunk, type DuckDBType } from '@duckdb/node-api';
import { type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import type { Frame } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { duckdbTypeOf, valuesOf } from './frameColumns.ts';
import { quotedName } from './quoted.ts';

/** The size of DuckDB's vectors. */
const CHUNK_ROWS = 2_048;
/** More than Node can read at once; a table of this size belongs in a file that DuckDB reads itself. */
const MAX_BYTES = 1024 ** 3;

/** A column of an Arrow table as a column of DuckDB. */
export interface FrameColumn {
  readonly at: number;
  readonly name: string;
  readonly type: DuckDBType;
}

/**
 * Loads a data frame of another cell into the database, as a temporary table with its name.
 * @throws SqlError when it is not a table, or has a column without a DuckDB type
 */
export async function loadFrame(connection: Connection, frame: Frame, signal: AbortSignal): Promise<void> {
  const { name, path } = frame;
  if (statSync(path).size > MAX_BYTES) {
    throw new SqlError(
      `\`${name}\` takes more than 1 GiB, which is too much to hand to SQL. Keep the columns and rows you need in a Python cell, or write it to a Parquet file and read that.`,
    );
  }
  const bytes = readFileSync(path);
  if (bytes[0] === 0x7b) throw notATable(name);
  const reader = RecordBatchReader.from(bytes);
  reader.open();
  const shape = reader.schema.metadata.get('svc.arrow.shape') ?? 'table';
  if (shape !== 'table') throw notATable(name);
  const columns = columnsOf(name, reader.schema);
  const columnList = columns
    .map((column) => `${quotedName(column.name)} ${column.type.toString()}`)
    .join(', ');
  await connection.run(`CREATE TEMP TABLE ${quotedName(name)} (${columnList})`);
  const appender = await connection.createAppender(name, 'main', 'temp');
  try {
    for (const batch of reader) {
      signal.throwIfAborted();
      appendBatch(batch, columns, (chunk) => appender.appendDataChunk(chunk));
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

function notATable(name: string): SqlError {
  return new SqlError(
    `\`${name}\` is not a table: FROM reads data frames and Arrow tables of other cells. Bind a single value with :${name}, or convert it to a data frame.`,
  );
}

/** The name of a frame's index that has no name. */
const UNNAMED_INDEX = /^__index_level_\d+__$/;

/** @throws SqlError for a column DuckDB has no type for */
export function columnsOf(frame: string, schema: Schema): readonly FrameColumn[] {
  const takenNames = new Set<string>();
  const columns = schema.fields.flatMap(({ name, type }, at): FrameColumn[] => {
    if (UNNAMED_INDEX.test(name)) return [];
    const duckdbType = duckdbTypeOf(type);
    if (duckdbType === null) {
      throw new SqlError(
        `The column "${name}" of \`${frame}\` is of the type ${String(type)}, which SQL has no type for. Leave it out or convert it in a Python cell.`,
      );
    }
    return [{ at, name: freeName(name === '' ? `column${at}` : name, takenNames), type: duckdbType }];
  });
  if (columns.length === 0) throw new SqlError(`\`${frame}\` has no columns, so SQL has nothing to read.`);
  return columns;
}

/** DuckDB ignores the case of names. */
function freeName(name: string, takenNames: Set<string>): string {
  let candidate = name;
  for (let more = 1; takenNames.has(candidate.toLowerCase()); more += 1) candidate = `${name}_${more}`;
  takenNames.add(candidate.toLowerCase());
  return candidate;
}

/** Appends the rows of a batch in pieces. */
export function appendBatch(
  batch: RecordBatch,
  columns: readonly FrameColumn[],
  append: (chunk: DuckDBDataChunk) => void,
): void {
  const readers = columns.map(({ at }) => {
    const data = batch.data.children[at];
    return data === undefined ? () => null : valuesOf(data);
  });
  const types = columns.map(({ type }) => type);
  for (let from = 0; from < batch.numRows; from += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, batch.numRows - from);
    const chunk = DuckDBDataChunk.create(types, rows);
    chunk.setColumns(readers.map((read) => Array.from({ length: rows }, (_, row) => read(from + row))));
    append(chunk);
  }
}
