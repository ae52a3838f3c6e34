/** The in-memory DuckDB database that reads the files of one scan. */

import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import { interruptOn } from '../../sql/duckdb/interruptOn.ts';

/** Limits of a scan: rows are streamed, and only the keys of deletes are held in memory. */
const CONFIG: Readonly<Record<string, string>> = {
  memory_limit: '1GB',
  threads: '2',
  // No code or temporary files outside of this program.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  temp_directory: '',
  parquet_metadata_cache: 'true',
  TimeZone: 'UTC',
  // Rows keep the order of their file: DuckDB must not swap the sides of a join with deletes.
  disabled_optimizers: 'join_order,build_side_probe_side',
};

/** An empty in-memory database that reads the files of one scan. */
export class ScanSession {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  /** The signal of the current result. Adding a listener for each chunk would be slow. */
  #watched: { readonly signal: AbortSignal; readonly onAbort: () => void } | null = null;
  #isReading = false;
  #stopInterrupts: (() => void) | null = null;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(): Promise<ScanSession> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    for (const [name, value] of Object.entries(CONFIG)) await connection.run(`SET ${name} = '${value}'`);
    return new ScanSession(instance, connection);
  }

  /**
   * Runs a query and returns all rows. It is interrupted when the signal is aborted, and then throws the signal's
   * reason.
   */
  async rows(sql: string, signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#guarded(signal, async () => (await this.#connection.run(sql)).getRowObjects());
  }

  /** A result that is computed while it is read. */
  async stream(sql: string, signal: AbortSignal): Promise<DuckDBResult> {
    return this.#guarded(signal, async () => this.#connection.stream(sql));
  }

  /** The next chunk of a result. @param signal the signal of the result */
  async next(result: DuckDBResult, signal: AbortSignal) {
    this.#watch(signal);
    this.#isReading = true;
    try {
      return await this.#orReason(signal, () => result.fetchChunk());
    } finally {
      this.#isReading = false;
      this.#stopInterrupts?.();
      this.#stopInterrupts = null;
    }
  }

  #watch(signal: AbortSignal): void {
    if (this.#watched?.signal === signal) return;
    this.#unwatch();
    const onAbort = (): void => {
      if (this.#isReading) this.#stopInterrupts = interruptOn(signal, () => this.#connection.interrupt());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#watched = { signal, onAbort };
  }

  #unwatch(): void {
    this.#watched?.signal.removeEventListener('abort', this.#watched.onAbort);
    this.#watched = null;
  }

  /** Adds rows to a table of one BIGINT column. */
  async append(table: string, values: Iterable<bigint>): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    for (const value of values) {
      appender.appendBigInt(value);
      appender.endRow();
    }
    appender.closeSync();
  }

  async #guarded<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const stop = interruptOn(signal, () => this.#connection.interrupt());
    try {
      return await this.#orReason(signal, work);
    } finally {
      stop();
    }
  }

  /** Does work on the connection; an interrupted query fails with the reason of the signal. */
  async #orReason<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  close(): void {
    this.#unwatch();
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
