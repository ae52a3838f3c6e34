/** An open SQLite file in the SQL thread: runs reading and writing statements, and detects changes of the file. */

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import type { TableName } from '../../../src-shared/sql/tableName.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import type { Row } from '../columnType.ts';
import type { BoundStatement, ResultStream, SchemaTable, SqlConnection, WriteDone } from '../driver.ts';
import { RetryQuery } from '../retryQuery.ts';
import { SqlError } from '../sqlError.ts';
import { refuseOtherFiles } from './refuseOtherFiles.ts';
import { sqliteBind, sqliteError } from './sqliteBinds.ts';
import {
  columnOf,
  declaredStorage,
  fitValue,
  type SqliteValue,
  type Storage,
  storageOf,
  widerStorage,
} from './valueTypes.ts';

/** Rows that are read before the column types are decided. */
const SAMPLE_ROWS = 1_000;
/** Rows per batch. Between batches the thread reads its messages, such as a cancel. */
const BATCH = 2_000;

interface Options {
  readonly signal: AbortSignal;
}

/** A connection to one file. Every call blocks the SQL thread, which reads its messages between batches. */
export class SqliteConnection implements SqlConnection {
  readonly #database: Database;
  readonly #file: string | null;
  readonly #isConfined: boolean;
  /** The column types of queries that have to run again because a value did not fit. */
  readonly #widerStorages = new Map<string, readonly (Storage | null)[]>();

  constructor(database: Database, file: string | null, isConfined = false) {
    this.#database = database;
    this.#file = file;
    this.#isConfined = isConfined;
    database.defaultSafeIntegers(true);
  }

  async query({ sql, binds }: BoundStatement, { signal }: Options): Promise<ResultStream> {
    try {
      const statement = this.#prepare(sql);
      if (!statement.reader) throw new SqlError('This statement returns no rows.');
      if (!statement.readonly)
        throw new SqlError('This statement changes data. Add "# @sql write=true" to allow writes.');
      statement.raw(true);
      const rows = statement.iterate(...binds.map(sqliteBind)) as IterableIterator<SqliteValue[]>;
      const first: SqliteValue[][] = [];
      while (first.length < SAMPLE_ROWS) {
        const next = rows.next();
        if (next.done === true) break;
        first.push(next.value);
      }
      const storages = this.#widerStorages.get(sql) ?? storagesOf(statement, first);
      const names = statement.columns().map(({ name }) => name);
      return {
        columns: names.map((name, i) => columnOf(name, storages[i] ?? null)),
        batches: this.#batches(sql, { first, rows, storages, signal }),
      };
    } catch (error) {
      throw sqliteError(error, null, sql);
    }
  }

  #prepare(sql: string): Statement<unknown[]> {
    if (this.#isConfined) refuseOtherFiles(sql);
    return this.#database.prepare<unknown[]>(sql);
  }

  async *#batches(
    sql: string,
    stream: {
      readonly first: readonly SqliteValue[][];
      readonly rows: IterableIterator<SqliteValue[]>;
      readonly storages: readonly (Storage | null)[];
      readonly signal: AbortSignal;
    },
  ): AsyncGenerator<readonly Row[]> {
    const { rows, storages, signal } = stream;
    try {
      yield stream.first.map((row) => this.#fitted(sql, row, storages));
      for (;;) {
        // Lets the thread receive a cancel.
        await setImmediate();
        signal.throwIfAborted();
        const batch: Row[] = [];
        while (batch.length < BATCH) {
          const next = rows.next();
          if (next.done === true) break;
          batch.push(this.#fitted(sql, next.value, storages));
        }
        if (batch.length > 0) yield batch;
        if (batch.length < BATCH) return;
      }
    } catch (error) {
      throw sqliteError(error, null, sql);
    } finally {
      rows.return?.();
    }
  }

  #fitted(sql: string, row: readonly SqliteValue[], storages: readonly (Storage | null)[]): Row {
    return row.map((value, i) => {
      const result = fitValue(value, storages[i] ?? null);
      if (result !== undefined) return result;
      const wider = storages.map((storage, at) =>
        at === i && value !== null ? widerFor(storage, value) : storage,
      );
      this.#widerStorages.set(sql, wider);
      throw new RetryQuery('a column contains values of different types');
    });
  }

  async write(statements: readonly BoundStatement[], { signal }: Options): Promise<readonly WriteDone[]> {
    const results: WriteDone[] = [];
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const [i, bound] of statements.entries()) {
        await setImmediate();
        signal.throwIfAborted();
        results.push(this.#run(bound, i));
      }
      await setImmediate();
      signal.throwIfAborted();
      this.#database.exec('COMMIT');
      return results;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw sqliteError(error, null);
    }
  }

  #run({ sql, binds, statement: { changesRows } }: BoundStatement, index: number): WriteDone {
    try {
      const statement = this.#prepare(sql);
      const values = binds.map(sqliteBind);
      if (statement.reader) {
        const rows = statement.all(...values);
        return { rowsAffected: changesRows ? BigInt(rows.length) : null };
      }
      const { changes } = statement.run(...values);
      return { rowsAffected: changesRows ? BigInt(changes) : null };
    } catch (error) {
      const wrapped = sqliteError(error, null, sql);
      throw wrapped instanceof SqlError
        ? new SqlError(wrapped.message, { ...wrapped, statement: index, cause: error })
        : wrapped;
    }
  }

  /** Values that change when any program writes the file (docs/spec/sql.md, 3). */
  async freshness(): Promise<readonly string[] | null> {
    const file = this.#file;
    if (file === null) return null;
    const number = (name: string) => String(this.#database.pragma(name, { simple: true }));
    return withSqlErrors(() => [
      `schema_version=${number('schema_version')}`,
      `change_counter=${changeCounter(file)}`,
      `file=${sizeAndTime(file)}`,
      `wal=${sizeAndTime(`${file}-wal`)}`,
    ]);
  }

  async schemaFingerprint(tables: readonly TableName[]): Promise<readonly string[]> {
    return withSqlErrors(() => this.#fingerprint(tables));
  }

  #fingerprint(tables: readonly TableName[]): readonly string[] {
    return tables
      .map(({ parts }) => {
        const [name = '', schema = null] = [...parts].reverse();
        const columns = this.#columnsOf(schema, name).map(
          (column) => `${column.name} ${column.type} ${column.nullable === false ? 'NOT NULL' : ''}`,
        );
        return `${parts.join('.').toLowerCase()}(${columns.join(', ')})`;
      })
      .sort();
  }

  async schema(): Promise<readonly SchemaTable[]> {
    return withSqlErrors(() => this.#schema());
  }

  #schema(): readonly SchemaTable[] {
    const databases = this.#database.pragma('database_list') as { name: string }[];
    return databases.flatMap(({ name: schema }) => {
      const tables = this.#database
        .prepare(
          `SELECT name FROM ${quoted(schema)}.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
        )
        .all() as { name: string }[];
      return tables.map(({ name }) => ({
        catalog: null,
        schema,
        name,
        columns: this.#columnsOf(schema, name),
      }));
    });
  }

  #columnsOf(schema: string | null, table: string): { name: string; type: string; nullable: boolean }[] {
    const of = schema === null ? '' : `${quoted(schema)}.`;
    const columns = this.#database.pragma(`${of}table_info(${quoted(table)})`) as {
      name: string;
      type: string;
      notnull: bigint;
      pk: bigint;
    }[];
    return columns.map(({ name, type, notnull, pk }) => ({
      name,
      type,
      nullable: notnull === 0n && !(pk > 0n && type.toUpperCase() === 'INTEGER'),
    }));
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

/** Converts errors of the file or the database, which are not faults of the server. */
function withSqlErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      throw new SqlError('The database file no longer exists.', { cause: error });
    throw sqliteError(error, null);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function storagesOf(
  statement: Statement<unknown[]>,
  first: readonly (readonly SqliteValue[])[],
): readonly (Storage | null)[] {
  return statement.columns().map(({ type }, i) => {
    let storage: Storage | null = declaredStorage(type);
    for (const row of first) {
      const value = row[i] ?? null;
      if (value !== null && fitValue(value, storage) === undefined) storage = widerFor(storage, value);
    }
    return storage;
  });
}

/** Text if floats cannot represent all numbers of the column. */
function widerFor(before: Storage | null, value: Exclude<SqliteValue, null>): Storage {
  const wider = widerStorage(before, storageOf(value));
  return wider === before && wider === 'real' ? 'text' : wider;
}

function sizeAndTime(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.size}:${stats.mtimeNs}`;
}

/** Bytes 24 to 27 of the header: the number of transactions that were written without a WAL. */
function changeCounter(path: string): number {
  const header = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    return readSync(file, header, 0, 4, 24) === 4 ? header.readUInt32BE() : 0;
  } finally {
    closeSync(file);
  }
}
