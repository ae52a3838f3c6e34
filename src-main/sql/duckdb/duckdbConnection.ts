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
import { placedBack } from '../placedBack.ts';
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

/** What a statement may run without showing it: views, and macros, those of a single value among them. */
const KEPT_VIEWS =
  'SELECT sql AS text FROM duckdb_views() WHERE NOT internal AND NOT temporary AND sql IS NOT NULL';
const KEPT_QUERIES = `${KEPT_VIEWS}
  UNION ALL
  SELECT CASE function_type WHEN 'macro' THEN 'SELECT ' ELSE '' END || macro_definition
    FROM duckdb_functions() WHERE NOT internal AND macro_definition IS NOT NULL`;

/** What some catalogs write for a table without any. */
const NO_SNAPSHOT = '-1';

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

  /** Into the session's own tables: what is asked next reads alone. */
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
    const sent = render(statement, dialect, insertionsAt(statement, this.#catalog, readPins(snapshot)));
    try {
      return await this.#query({ sql: sent.sql, binds }, signal);
    } catch (error) {
      throw placedBack(error, sent, { statement, dialect });
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
   * DuckDB makes two statements of a PIVOT whose columns come from the data: one that lists them, and the query. The
   * first may have no parameters.
   */
  async #prepare(sql: string, binds: BoundStatement['binds']): Promise<DuckDBPreparedStatement> {
    const extracted = await this.#connection.extractStatements(sql);
    for (let at = 0; at < extracted.count - 1; at += 1) {
      const before = await extracted.prepare(at);
      await before.run();
      before.destroySync();
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
      const done: WriteDone[] = [];
      for (const [i, bound] of statements.entries()) {
        signal.throwIfAborted();
        done.push(await this.#run(bound, i));
      }
      signal.throwIfAborted();
      await this.#connection.run('COMMIT');
      return done;
    } catch (error) {
      // The first failure has ended the transaction in all but name.
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

  /** `PRAGMA database_size` and what the file system says; memory holds nothing of its own (sql). */
  async freshness(): Promise<readonly string[] | null> {
    // Nobody has made a macro in memory that was begun for this run; to look would cost more than most statements.
    const begun = this.#file === null && this.#catalog === null;
    const kept = await this.#rows(begun ? KEPT_VIEWS : KEPT_QUERIES);
    if (kept.some(({ text }) => readsElsewhere(String(text)))) return null;
    if (this.#file === null) return [];
    const [size] = await this.#rows('PRAGMA database_size');
    const blocks = ['total_blocks', 'used_blocks', 'free_blocks', 'wal_size'].map(
      (name) => `${name}=${String(size?.[name])}`,
    );
    return [...blocks, `file=${sizeAndTime(this.#file)}`, `wal=${sizeAndTime(`${this.#file}.wal`)}`];
  }

  /** The snapshot each table of the catalog is at now: after a rollback that is not its newest. */
  async takeSnapshot(_signal: AbortSignal, tables: readonly TableName[] = []): Promise<string> {
    const catalog = this.#catalog;
    if (catalog === null)
      throw new SqlError('This connection has no catalog, so it cannot read earlier snapshots of tables.');
    const pins: Record<string, string | null> = {};
    for (const table of tables) {
      const name = pinnedName(table, catalog);
      if (name === null || Object.hasOwn(pins, name)) continue;
      const whole = [catalog, ...table.parts.slice(1)].map(quotedName).join('.');
      const [now] = await this.#rows(
        `SELECT CAST(metadata AS JSON) ->> '$."current-snapshot-id"' AS id FROM iceberg_load_table_response(${quotedText(whole)})`,
      );
      const id = now?.['id'] ?? null;
      pins[name] = id === null || id === NO_SNAPSHOT ? null : String(id);
    }
    return pinsText(pins);
  }

  async schemaFingerprint(tables: readonly TableName[]): Promise<readonly string[]> {
    if (tables.length === 0) return [];
    const wanted = new Set(tables.map(({ parts }) => (parts.at(-1) ?? '').toLowerCase()));
    // What lies in a catalog is told by its snapshot; to list all of it would ask for each of its tables.
    const listed = (await this.#listed(this.#catalog)).filter(({ name }) => wanted.has(name.toLowerCase()));
    return listed
      .map(({ catalog, schema, name, columns }) => {
        const shown = columns.map(
          (column) => `${column.name} ${column.type} ${column.nullable === false ? 'NOT NULL' : ''}`,
        );
        return `${catalog}.${schema}.${name}(${shown.join(', ')})`;
      })
      .sort();
  }

  schema(): Promise<readonly SchemaTable[]> {
    return this.#listed(null);
  }

  async #listed(without: string | null): Promise<readonly SchemaTable[]> {
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

/** What is read from files is as fresh as they are, which the database does not know. */
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
