/** Runs the query of a `duckdb_sql@v1` transform in a database of its own and returns its rows. */

import { createReadStream } from 'node:fs';
import { type DuckDBDataChunk, StatementType } from '@duckdb/node-api';
import { type RecordBatch, RecordBatchReader, type Schema } from 'apache-arrow';
import { parseArtifactUri } from '../../artifacts/uri.ts';
import { ipcStream } from '../../iceberg/read/ipcStream.ts';
import type { Scan } from '../../iceberg/read/readScan.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Party } from '../../registry/versionRow.ts';
import { schemaOf, withUniqueNames } from '../../sql/arrow/arrowTypeOf.ts';
import type { Column } from '../../sql/columnType.ts';
import { columnTypeOf } from '../../sql/duckdb/duckdbTypes.ts';
import { PendingBatch } from '../../sql/duckdb/pendingBatch.ts';
import { SqlError } from '../../sql/sqlError.ts';
import type { ResolvedInput } from '../inputs.ts';
import { loadArrow } from './loadArrow.ts';
import { QueryDatabase } from './queryDatabase.ts';

export interface SqlRun {
  readonly sql: string;
  /** `input0`, `input1`, … in this order. */
  readonly inputs: readonly ResolvedInput[];
  readonly registry: Registry;
  readonly party: Party;
  /** The rows of a table at the version that was resolved. */
  readonly scan: (input: Extract<ResolvedInput, { kind: 'table' }>, signal: AbortSignal) => Promise<Scan>;
  readonly batchRows: number;
  readonly signal: AbortSignal;
  /** Receives the function that closes the database; call it at the end in any case. */
  readonly onOpen: (close: () => void) => void;
}

/**
 * Runs one query over the inputs, in a database of its own without files or network.
 * @throws SqlError, RegistryError, IcebergError; more come from the iteration
 */
export async function duckdbRows(run: SqlRun): Promise<Scan> {
  const { signal, sql } = run;
  const database = await QueryDatabase.open();
  run.onOpen(() => database.close());
  await database.use(signal, sql, async () => {
    for (const [i, input] of run.inputs.entries()) {
      await loadArrow(database.connection, `input${i}`, { ...(await rowsOf(input, run)), signal });
    }
    await database.confine();
  });
  const { columns, next } = await database.use(signal, sql, () => queried(database, sql));
  const schema = schemaOf(columns);
  const pending = new PendingBatch({
    read: columns,
    types: columns.map(({ type }) => type),
    schema,
    mostRows: run.batchRows,
  });
  async function* batches(): AsyncGenerator<RecordBatch> {
    for (;;) {
      const chunk = await database.use(signal, sql, next);
      if (chunk === null || chunk.rowCount === 0) break;
      yield* pending.fill(chunk);
    }
    if (pending.rows > 0) yield pending.take();
  }
  return { schema, batches: batches() };
}

interface Queried {
  readonly columns: readonly Column[];
  readonly next: () => Promise<DuckDBDataChunk | null>;
}

async function queried({ connection }: QueryDatabase, sql: string): Promise<Queried> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) {
    throw new SqlError(`The text has ${statements.count} statements. duckdb_sql@v1 runs one query.`);
  }
  const prepared = await statements.prepare(0);
  if (prepared.statementType !== StatementType.SELECT) {
    throw new SqlError(
      'The statement is not a query. duckdb_sql@v1 runs one SELECT over input0, input1 and so on.',
    );
  }
  if (prepared.parameterCount > 0) {
    throw new SqlError(
      'The query has parameters, and duckdb_sql@v1 binds none. Write the values into the text.',
    );
  }
  const result = await prepared.stream();
  const types = result.columnTypes();
  const columns = result.columnNames().map((name, i): Column => {
    const type = types[i];
    if (type === undefined) throw new Error('DuckDB returned a column without a type');
    return { name, type: columnTypeOf(type) };
  });
  return { columns: withUniqueNames(columns), next: async () => result.fetchChunk() };
}

/** The rows of an input as Arrow batches. */
async function rowsOf(
  input: ResolvedInput,
  { registry, party, scan, signal }: SqlRun,
): Promise<{ readonly schema: Schema; readonly batches: AsyncIterable<RecordBatch> }> {
  if (input.kind === 'table') return opened(ipcStream(await scan(input, signal)));
  const ref = parseArtifactUri(`svc://artifact/${input.version}`);
  if (ref === null) throw new Error(`${input.version} is not a version of an artifact`);
  const { path } = registry.dataFile(ref, party);
  return opened(createReadStream(path));
}

async function opened(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ readonly schema: Schema; readonly batches: AsyncIterable<RecordBatch> }> {
  const reader = await RecordBatchReader.from(stream);
  await reader.open();
  return { schema: reader.schema, batches: reader };
}
