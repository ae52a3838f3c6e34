import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api';
import { interruptOn } from '../../sql/duckdb/interruptOn.ts';

/** What a scan may use of the machine: rows go through, and only the keys of deletes are held. */
const CONFIG: Readonly<Record<string, string>> = {
  memory_limit: '1GB',
  threads: '2',
  // Neither code nor temporary files come from elsewhere than this program.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  temp_directory: '',
  parquet_metadata_cache: 'true',
  TimeZone: 'UTC',
  // Rows keep the order of their file: DuckDB never swaps the sides of a join with deletes.
  disabled_optimizers: 'join_order,build_side_probe_side',
};

/** The database without tables that reads the files of one scan. */
export class ScanSession {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

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

  /** Interrupted when the signal is aborted, which is then what is thrown. */
  async rows(sql: string, signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#guarded(signal, async () => (await this.#connection.run(sql)).getRowObjects());
  }

  /** A result that is made while it is read. */
  async stream(sql: string, signal: AbortSignal): Promise<DuckDBResult> {
    return this.#guarded(signal, async () => this.#connection.stream(sql));
  }

  async next(result: DuckDBResult, signal: AbortSignal) {
    return this.#guarded(signal, async () => result.fetchChunk());
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
    signal.throwIfAborted();
    const stop = interruptOn(signal, () => this.#connection.interrupt());
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      stop();
    }
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
