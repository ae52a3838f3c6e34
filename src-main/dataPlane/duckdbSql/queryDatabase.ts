/** The DuckDB database in which one duckdb_sql query runs. */

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { duckdbError } from '../../sql/duckdb/duckdbError.ts';
import { interruptOn } from '../../sql/duckdb/interruptOn.ts';
import { SqlError } from '../../sql/sqlError.ts';

/** The resource limits of a query. */
const CONFIG: Readonly<Record<string, string>> = {
  memory_limit: '2GB',
  threads: '2',
  temp_directory: '',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  TimeZone: 'UTC',
};

/** A database in memory for one query. It is closed only after its last use: DuckDB is native code. */
export class QueryDatabase {
  readonly #instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  #busy = 0;
  /** Closed, or to be closed by its last user. */
  #isEnding = false;
  #isClosed = false;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.connection = connection;
  }

  static async open(): Promise<QueryDatabase> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const database = new QueryDatabase(instance, connection);
    for (const [name, value] of Object.entries(CONFIG)) await connection.run(`SET ${name} = '${value}'`);
    return database;
  }

  /** Disables files, the network and other databases; this cannot be undone. */
  async confine(): Promise<void> {
    await this.connection.run('SET enable_external_access = false');
    await this.connection.run('SET lock_configuration = true');
  }

  /**
   * Work with the connection; the signal interrupts it.
   * @throws SqlError for what DuckDB refuses, and the reason of the signal
   */
  async use<T>(signal: AbortSignal, sql: string, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#isEnding) throw new Error('the database of the query is closed');
    this.#busy += 1;
    const stop = interruptOn(signal, () => this.connection.interrupt());
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw queryError(error, sql);
    } finally {
      stop();
      this.#busy -= 1;
      if (this.#isEnding) this.close();
    }
  }

  /** Closes the database after its current use. */
  close(): void {
    this.#isEnding = true;
    if (this.#isClosed || this.#busy > 0) return;
    this.#isClosed = true;
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}

/** The prefix that DuckDB's client adds to messages. */
const CLIENT_WORDS = /^Failed to [a-z ]+: /;
/** DuckDB's messages begin with the kind of the error. */
const DUCKDB_ERROR = /^[A-Z][A-Za-z ]* Error: |exception_type/;

function queryError(error: unknown, sql: string): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(CLIENT_WORDS, '').trimEnd();
  if (error instanceof SqlError || !DUCKDB_ERROR.test(message)) return error;
  return duckdbError(new Error(message, { cause: error }), sql);
}
