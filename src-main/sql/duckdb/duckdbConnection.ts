/**
 * An open DuckDB connection: queries in batches, writes in one transaction, freshness, snapshots of a
 * catalog, schema.
 */

import { statSync } from 'node:fs';
import type {
  DuckDBConnection as Connection,
  DuckDBInstance,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import type { Column } from '../columnType.ts';
import type {
  BoundStatement,
  ColumnBatch,
  Frame,
  ResultStream,
  SchemaTable,
  SqlConnection,
  WriteDone,
} from '../driver.ts';
import { withOriginalPosition } from '../originalPosition.ts';
import { render } from '../render.ts';
import { SqlError } from '../sqlError.ts';
import { readStatements } from '../text/readStatements.ts';
import { batchOf } from './batch.ts';
import { refuseUnnamed } from './confineSession.ts';
import { bindTo } from './duckdbBinds.ts';
import { duckdbError } from './duckdbError.ts';
import { columnTypeOf } from './duckdbTypes.ts';
import { loadFrame } from './frameTable.ts';
import { interruptOn } from './interruptOn.ts';
import { insertionsAt, pinnedName, pinsText, readPins } from './pins.ts';
import { quotedName, quotedText } from './quoted.ts';

interface Options {
  readonly signal: AbortSignal;
}

/** The stored code that a statement may run indirectly: views, and macros, scalar ones included. */
const STORED_VIEWS =
  'SELECT sql AS text FROM duckdb_views() WHERE NOT internal AND NOT temporary AND sql IS NOT NULL';
const STORED_QUERIES = `${STORED_VIEWS}
  UNION ALL
  SELECT CASE function_type WHEN 'macro' THEN 'SELECT ' ELSE '' END || macro_definition
    FROM duckdb_functions() WHERE NOT internal AND macro_definition IS NOT NULL`;

/** The snapshot id that some catalogs write for a table without snapshots. */
const NO_SNAPSHOT = '-1';

/** A connection to one DuckDB database, in the SQL thread. */
export class DuckdbConnection implements SqlConnection {
  readonly #instance: DuckDBInstance;
  readonly #connection: Connection;
  readonly #file: string | null;
  readonly #catalog: string | null;
  readonly #isConfined: boolean;
  #open = true;

  constructor(opened: {
    readonly instance: DuckDBInstance;
    readonly connection: Connection;
    readonly file: string | null;
    readonly catalog: string | null;
    readonly isConfined: boolean;
  }) {
    this.#instance = opened.instance;
    this.#connection = opened.connection;
    this.#file = opened.file;
    this.#catalog = opened.catalog;
    this.#isConfined = opened.isConfined;
  }

  /** Loads the frames into temporary tables, then makes the transaction read-only again. */
  async load(frames: readonly Frame[], signal: AbortSignal): Promise<void> {
    try {
      await this.#connection.run('COMMIT');
      for (const frame of frames) await loadFrame(this.#connection, frame, signal);
      await this.#connection.run('BEGIN TRANSACTION READ ONLY');
    } catch (error) {
      throw duckdbError(error, null);
    }
  }

  async query(
    bound: BoundStatement,
    { signal, snapshot = null }: Options & { readonly snapshot?: string | null },
  ): Promise<ResultStream> {
    if (this.#isConfined && this.#catalog !== null) refuseUnnamed(bound.statement);
    if (snapshot === null || this.#catalog === null) return this.#query(bound, signal);
    const { statement, binds } = bound;
    const dialect = DIALECTS.duckdb;
    const rendered = render(statement, dialect, insertionsAt(statement, this.#catalog, readPins(snapshot)));
    try {
      return await this.#query({ sql: rendered.sql, binds }, signal);
    } catch (error) {
      throw withOriginalPosition(error, rendered, { statement, dialect });
    }
  }

  async #query(
    { sql, binds }: Pick<BoundStatement, 'sql' | 'binds'>,
    signal: AbortSignal,
  ): Promise<ResultStream> {
    const stop = interruptOn(signal, () => this.#interrupt());
    try {
      const prepared = await this.#prepare(sql, binds);
      signal.throwIfAborted();
      const result = await prepared.stream();
      const columns = result
        .columnNames()
        .map((name, i): Column => ({ name, type: columnTypeOf(result.columnType(i)) }));
      return { columns, batches: this.#batches(result, { sql, columns, prepared, signal, stop }) };
    } catch (error) {
      stop();
      throw duckdbError(error, sql);
    }
  }

  /**
   * DuckDB turns a PIVOT whose columns come from the data into two statements: one that lists the columns, and the
   * query. Only the query has parameters.
   */
  async #prepare(sql: string, binds: BoundStatement['binds']): Promise<DuckDBPreparedStatement> {
    const extracted = await this.#connection.extractStatements(sql);
    for (let at = 0; at < extracted.count - 1; at += 1) {
      const statement = await extracted.prepare(at);
      await statement.run();
      statement.destroySync();
    }
    const prepared = await extracted.prepare(extracted.count - 1);
    for (const [i, bind] of binds.entries()) bindTo(prepared, i + 1, bind);
    return prepared;
  }

  async *#batches(
    result: DuckDBResult,
    query: {
      readonly sql: string;
      readonly columns: readonly Column[];
      readonly prepared: DuckDBPreparedStatement;
      readonly signal: AbortSignal;
      readonly stop: () => void;
    },
  ): AsyncGenerator<ColumnBatch> {
    try {
      for (;;) {
        query.signal.throwIfAborted();
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) return;
        yield batchOf(chunk, query.columns);
      }
    } catch (error) {
      throw duckdbError(error, query.sql);
    } finally {
      query.stop();
      query.prepared.destroySync();
    }
  }

  async write(statements: readonly BoundStatement[], { signal }: Options): Promise<readonly WriteDone[]> {
    const stop = interruptOn(signal, () => this.#interrupt());
    try {
      await this.#connection.run('BEGIN TRANSACTION');
      const results: WriteDone[] = [];
      for (const [i, bound] of statements.entries()) {
        signal.throwIfAborted();
        results.push(await this.#run(bound, i));
      }
      signal.throwIfAborted();
      await this.#connection.run('COMMIT');
      return results;
    } catch (error) {
      // After a failure the transaction can only be rolled back.
      await this.#connection.run('ROLLBACK').catch(() => undefined);
      throw duckdbError(error, null);
    } finally {
      stop();
    }
  }

  async #run({ sql, binds, statement: { changesRows } }: BoundStatement, index: number): Promise<WriteDone> {
    try {
      const prepared = await this.#prepare(sql, binds);
      const { rowsChanged } = await prepared.run();
      prepared.destroySync();
      return { rowsAffected: changesRows ? BigInt(rowsChanged) : null };
    } catch (error) {
      throw duckdbError(error, sql, index);
    }
  }

  /** `PRAGMA database_size` and the file's size and time; in memory there is nothing to track (docs/spec/sql.md, 3). */
  async freshness(): Promise<readonly string[] | null> {
    // A database in memory that was created for this run has no macros, and the query for them is slow.
    const isNew = this.#file === null && this.#catalog === null;
    const definitions = await this.#rows(isNew ? STORED_VIEWS : STORED_QUERIES);
    if (definitions.some(({ text }) => readsElsewhere(String(text)))) return null;
    if (this.#file === null) return [];
    const [size] = await this.#rows('PRAGMA database_size');
    const blocks = ['total_blocks', 'used_blocks', 'free_blocks', 'wal_size'].map(
      (name) => `${name}=${String(size?.[name])}`,
    );
    return [...blocks, `file=${sizeAndTime(this.#file)}`, `wal=${sizeAndTime(`${this.#file}.wal`)}`];
  }

  /** The current snapshot of each table of the catalog, which after a rollback is not its newest. */
  async takeSnapshot(_signal: AbortSignal, tables: readonly TableName[] = []): Promise<string> {
    const catalog = this.#catalog;
    if (catalog === null)
      throw new SqlError('This connection has no catalog, so it cannot read earlier snapshots of tables.');
    const pins: Record<string, string | null> = {};
    for (const table of tables) {
      const name = pinnedName(table, catalog);
      if (name === null || Object.hasOwn(pins, name)) continue;
      const fullName = [catalog, ...table.parts.slice(1)].map(quotedName).join('.');
      const [now] = await this.#rows(
        `SELECT CAST(metadata AS JSON) ->> '$."current-snapshot-id"' AS id FROM iceberg_load_table_response(${quotedText(fullName)})`,
      );
      const id = now?.['id'] ?? null;
      pins[name] = id === null || id === NO_SNAPSHOT ? null : String(id);
    }
    return pinsText(pins);
  }

  async schemaFingerprint(tables: readonly TableName[]): Promise<readonly string[]> {
    if (tables.length === 0) return [];
    const names = new Set(tables.map(({ parts }) => (parts.at(-1) ?? '').toLowerCase()));
    // For tables in a catalog the snapshot is enough; listing the catalog would send a request for each of its tables.
    const matching = (await this.#list(this.#catalog)).filter(({ name }) => names.has(name.toLowerCase()));
    return matching
      .map(({ catalog, schema, name, columns }) => {
        const columnTexts = columns.map(
          (column) => `${column.name} ${column.type} ${column.nullable === false ? 'NOT NULL' : ''}`,
        );
        return `${catalog}.${schema}.${name}(${columnTexts.join(', ')})`;
      })
      .sort();
  }

  schema(): Promise<readonly SchemaTable[]> {
    return this.#list(null);
  }

  async #list(without: string | null): Promise<readonly SchemaTable[]> {
    const rows = await this.#rows(
      `SELECT database_name, schema_name, table_name, column_name, data_type, is_nullable FROM duckdb_columns()
       WHERE NOT internal AND database_name NOT IN ('system', ${quotedText(without ?? 'system')})
       ORDER BY database_name, schema_name, table_name, column_index`,
    );
    const tables = new Map<string, SchemaTable & { columns: SchemaTable['columns'][number][] }>();
    for (const row of rows) {
      const [catalog, schema, name] = [row['database_name'], row['schema_name'], row['table_name']].map(
        String,
      );
      const key = JSON.stringify([catalog, schema, name]);
      const table = tables.get(key) ?? {
        catalog: catalog ?? null,
        schema: schema ?? null,
        name: name ?? '',
        columns: [],
      };
      tables.set(key, table);
      table.columns.push({
        name: String(row['column_name']),
        type: String(row['data_type']),
        nullable: row['is_nullable'] === true,
      });
    }
    return [...tables.values()];
  }

  async #rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    try {
      return await (await this.#connection.run(sql)).getRowObjects();
    } catch (error) {
      throw duckdbError(error, null);
    }
  }

  #interrupt(): void {
    if (this.#open) this.#connection.interrupt();
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** Whether code reads files, whose freshness the database does not know. */
function readsElsewhere(text: string): boolean {
  try {
    return readStatements(text, DIALECTS.duckdb).some(({ statement }) => statement.unnameable !== null);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return true;
  }
}

function sizeAndTime(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.size}:${stats.mtimeNs}`;
}
