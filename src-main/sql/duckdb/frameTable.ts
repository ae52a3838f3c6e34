import { readFileSync, statSync } from 'node:fs';
import { type DuckDBConnection as Connection, DuckDBDataChunk, type DuckDBType } from '@duckdb/node-api';
import { type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import type { Frame } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { duckdbTypeOf, valuesOf } from './frameColumns.ts';
import { quotedName } from './quoted.ts';

/** DuckDB's vectors hold no more. */
const CHUNK_ROWS = 2_048;
/** More than Node reads at once; a table of this size belongs into a file that DuckDB reads itself. */
const MOST_BYTES = 1024 ** 3;

/** A column of an Arrow table as a column of DuckDB. */
export interface FrameColumn {
  readonly at: number;
  readonly name: string;
  readonly type: DuckDBType;
}

/**
 * Puts a data frame of another cell into the database, as a temporary table of its name.
 * @throws SqlError where it is no table, or has a column DuckDB has no type for
 */
export async function loadFrame(connection: Connection, frame: Frame, signal: AbortSignal): Promise<void> {
  const { name, path } = frame;
  if (statSync(path).size > MOST_BYTES) {
    throw new SqlError(
      `\`${name}\` takes more than 1 GiB, which is too much to hand to SQL. Keep the columns and rows you need in a Python cell, or write it to a Parquet file and read that.`,
    );
  }
  const bytes = readFileSync(path);
  if (bytes[0] === 0x7b) throw noTable(name);
  const reader = RecordBatchReader.from(bytes);
  reader.open();
  const shape = reader.schema.metadata.get('svc.arrow.shape') ?? 'table';
  if (shape !== 'table') throw noTable(name);
  const columns = columnsOf(name, reader.schema);
  const listed = columns.map((column) => `${quotedName(column.name)} ${column.type.toString()}`).join(', ');
  await connection.run(`CREATE TEMP TABLE ${quotedName(name)} (${listed})`);
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

function noTable(name: string): SqlError {
  return new SqlError(
    `\`${name}\` is no table: FROM reads data frames and Arrow tables of other cells. Bind a single value with :${name}, or make a data frame of it.`,
  );
}

/** The index of a frame without a name of its own. */
const UNNAMED_INDEX = /^__index_level_\d+__$/;

/** @throws SqlError for a column DuckDB has no type for */
export function columnsOf(frame: string, schema: Schema): readonly FrameColumn[] {
  const taken = new Set<string>();
  const columns = schema.fields.flatMap(({ name, type }, at): FrameColumn[] => {
    if (UNNAMED_INDEX.test(name)) return [];
    const known = duckdbTypeOf(type);
    if (known === null) {
      throw new SqlError(
        `The column "${name}" of \`${frame}\` is of the type ${String(type)}, which SQL has no type for. Leave it out or convert it in a Python cell.`,
      );
    }
    return [{ at, name: freeName(name === '' ? `column${at}` : name, taken), type: known }];
  });
  if (columns.length === 0) throw new SqlError(`\`${frame}\` has no columns, so SQL has nothing to read.`);
  return columns;
}

/** DuckDB takes `A` and `a` for one name. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let more = 1; taken.has(free.toLowerCase()); more += 1) free = `${name}_${more}`;
  taken.add(free.toLowerCase());
  return free;
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
