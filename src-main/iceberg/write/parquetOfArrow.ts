/** Writes Arrow batches as a Parquet file with Iceberg field ids. */

import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { RecordBatch, Schema } from 'apache-arrow';
import { duckdbTypeOf } from '../../sql/duckdb/frameColumns.ts';
import { appendBatch, type FrameColumn } from '../../sql/duckdb/frameTable.ts';
import { interruptOn } from '../../sql/duckdb/interruptOn.ts';
import { quotedName, quotedText } from '../../sql/duckdb/quoted.ts';
import { IcebergError } from '../icebergError.ts';
import { childrenOf, type Field, type IcebergType } from '../metadata/types.ts';
import type { AddedFile, ColumnCounts } from './manifestFiles.ts';
import { checkMicroseconds } from './microseconds.ts';

/** Limits for writing a file: rows beyond the memory limit are written to a temporary file. */
const CONFIG: Readonly<Record<string, string>> = {
  memory_limit: '1GB',
  threads: '2',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  preserve_insertion_order: 'true',
};
const PIECE_ROWS = 16_384;

/**
 * Writes Arrow batches as one Parquet file with field ids, in their order.
 * @param fields one for each column of the batches
 * @throws IcebergError for a value that the file could not store unchanged
 */
export async function parquetOfArrow(
  { schema, batches }: { readonly schema: Schema; readonly batches: AsyncIterable<RecordBatch> },
  {
    fields,
    path,
    signal,
  }: { readonly fields: readonly Field[]; readonly path: string; readonly signal: AbortSignal },
): Promise<Omit<AddedFile, 'location'>> {
  const folder = await mkdtemp(join(tmpdir(), 'cellar-rows-'));
  const instance = await DuckDBInstance.create(join(folder, 'rows.duckdb'), CONFIG);
  const connection = await instance.connect();
  const stop = interruptOn(signal, () => connection.interrupt());
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const columns = columnsFor(schema, fields);
    const rows = await load(connection, columns, { batches, signal });
    const selected = fields.map(
      ({ type }, at) => `CAST(c${at} AS ${duckdbName(type)}) AS ${quotedName(fields[at]?.name ?? '')}`,
    );
    const ids = fields.map((field) => `${quotedName(field.name)}: ${fieldIds(field)}`);
    await connection.run(
      `COPY (SELECT ${selected.join(', ')} FROM rows) TO ${quotedText(path)}
       (FORMAT PARQUET, COMPRESSION ZSTD, FIELD_IDS {${ids.join(', ')}})`,
    );
    return { rows, bytes: (await stat(path)).size, columns: await countsOf(connection, path, fields) };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    stop();
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sizes and counts of the columns without nested parts, from the file's footer. */
async function countsOf(
  connection: DuckDBConnection,
  path: string,
  fields: readonly Field[],
): Promise<readonly ColumnCounts[]> {
  const result = await connection.run(
    `SELECT path_in_schema AS name, sum(total_compressed_size)::BIGINT AS bytes, sum(num_values)::BIGINT AS vals,
       sum(stats_null_count)::BIGINT AS nulls FROM parquet_metadata(${quotedText(path)}) GROUP BY ALL`,
  );
  return (await result.getRowObjects()).flatMap(({ name, bytes, vals, nulls }): readonly ColumnCounts[] => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined || childrenOf(field.type).length > 0 || nulls === null) return [];
    return [{ fieldId: field.id, bytes: Number(bytes), values: Number(vals), nulls: Number(nulls) }];
  });
}

function columnsFor(schema: Schema, fields: readonly Field[]): readonly FrameColumn[] {
  return schema.fields.map(({ name, type: arrowType }, at) => {
    const type = duckdbTypeOf(arrowType);
    if (type !== null && fields[at] !== undefined) return { at, name: `c${at}`, type };
    throw new IcebergError('invalid_request', `The column "${name}" cannot be written as Parquet.`);
  });
}

async function load(
  connection: DuckDBConnection,
  columns: readonly FrameColumn[],
  { batches, signal }: { readonly batches: AsyncIterable<RecordBatch>; readonly signal: AbortSignal },
): Promise<number> {
  const listed = columns.map(({ name, type }) => `${name} ${type.toString()}`).join(', ');
  await connection.run(`CREATE TABLE rows (${listed})`);
  const appender = await connection.createAppender('rows');
  let rows = 0;
  try {
    for await (const batch of batches) {
      checkMicroseconds(batch);
      for (let from = 0; from < batch.numRows; from += PIECE_ROWS) {
        signal.throwIfAborted();
        const piece = batch.numRows <= PIECE_ROWS ? batch : batch.slice(from, from + PIECE_ROWS);
        appendBatch(piece, columns, (chunk) => appender.appendDataChunk(chunk));
        await nextTurn();
      }
      rows += batch.numRows;
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
  return rows;
}

const NAMES: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  int: 'INTEGER',
  long: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  string: 'VARCHAR',
  binary: 'BLOB',
};

/** The DuckDB type with the same Parquet representation as the Iceberg type. */
function duckdbName(type: IcebergType): string {
  switch (type.kind) {
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case 'list':
      return `${duckdbName(type.element.type)}[]`;
    case 'map':
      return `MAP(${duckdbName(type.key.type)}, ${duckdbName(type.value.type)})`;
    case 'struct':
      return `STRUCT(${type.fields.map(({ name, type: inner }) => `${quotedName(name)} ${duckdbName(inner)}`).join(', ')})`;
    default: {
      const name = NAMES[type.kind];
      if (name === undefined) throw new Error(`no Parquet type for ${type.kind}`);
      return name;
    }
  }
}

/** The ids of a column and its parts, in DuckDB's format. */
function fieldIds({ id, type }: Field): string {
  const own = `__duckdb_field_id: ${id}`;
  switch (type.kind) {
    case 'list':
      return `{${own}, element: ${fieldIds(type.element)}}`;
    case 'map':
      return `{${own}, key: ${fieldIds(type.key)}, value: ${fieldIds(type.value)}}`;
    case 'struct':
      return `{${[own, ...type.fields.map((field) => `${quotedName(field.name)}: ${fieldIds(field)}`)].join(', ')}}`;
    default:
      return String(id);
  }
}
