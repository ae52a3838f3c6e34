import { SqlError } from './sqlError.ts';

/** Whether a connection has no file: what is written through it ends with the cell that writes. */
export function isInMemory({ driver, path }: Readonly<Record<string, unknown>>): boolean {
  const isDuckdb = driver === 'duckdb' && (path === undefined || path === '');
  return isDuckdb || ((driver === 'duckdb' || driver === 'sqlite') && path === ':memory:');
}

/** As DuckDB and SQLite say it. */
const MISSING = /Table with name .* does not exist|no such table/;

/** A complaint of a table that is not there, with why it may have been there before. */
export function explainMissing(error: SqlError, connection: Readonly<Record<string, unknown>>): SqlError {
  const isBare = connection['catalog'] === undefined && connection['mounts'] === undefined;
  if (!isBare || !isInMemory(connection) || !MISSING.test(error.message)) return error;
  const hint = `The connection "${String(connection['name'])}" has no file: a table that another cell made on it is gone. Give the connection a path, or let that cell SELECT what this one needs and read it as a value.`;
  return new SqlError(error.message, { ...error, hint, cause: error });
}
