/** Opens a PostgreSQL database that holds the tables of an Iceberg SQL catalog. */

import type { Client } from 'pg';
import { IcebergError } from '../icebergError.ts';
import type { WritableDatabase } from './sqlCatalog.ts';

const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;
/** PostgreSQL's code for a table that does not exist. */
const NO_TABLE = '42P01';

/**
 * The PostgreSQL database of a catalog. Connects with the first query.
 * @param mayWrite without it, the database itself refuses changes
 */
export function openPostgresDatabase(uri: string, { mayWrite = false } = {}): WritableDatabase {
  // SQLAlchemy's URIs also name the driver.
  const connectionString = uri.replace(/^postgres(ql)?(\+[a-z0-9_]+)?:/, 'postgresql:');
  let connecting: Promise<Client> | null = null;
  const connect = async (): Promise<Client> => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: STATEMENT_MS,
      application_name: 'cellar',
    });
    // If the connection is lost between two queries, the next one fails.
    client.on('error', () => {
      connecting = null;
    });
    await client.connect();
    if (!mayWrite) await client.query('SET default_transaction_read_only = on');
    return client;
  };
  const ask = async (sql: string, parameters: readonly string[], signal: AbortSignal) => {
    signal.throwIfAborted();
    let at = 0;
    const numbered = sql.replaceAll('?', () => `$${++at}`);
    try {
      connecting ??= connect();
      const client = await connecting;
      return await client.query(numbered, [...parameters]);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === NO_TABLE) return null;
      connecting = null;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
      throw new IcebergError('unavailable', `The database of the catalog cannot be queried (${code}).`, {
        cause: error,
      });
    }
  };
  return {
    async rows(sql, parameters, signal) {
      const answer = await ask(sql, parameters, signal);
      return (answer?.rows ?? []) as Readonly<Record<string, unknown>>[]; // as pg gives rows
    },
    change: async (sql, parameters, signal) => (await ask(sql, parameters, signal))?.rowCount ?? 0,
    async close() {
      const client = await connecting?.catch(() => null);
      connecting = null;
      await client?.end();
    },
  };
}
