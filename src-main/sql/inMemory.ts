/** Recognizes connections to a database without a file, and explains missing tables there. */

import { SqlError } from './sqlError.ts';

/** Whether a connection has no file: its data is lost when the cell ends. */
export function isInMemory({ driver, path }: Readonly<Record<string, unknown>>): boolean {
  const isDuckdb = driver === 'duckdb' && (path === undefined || path === '');
  return isDuckdb || ((driver === 'duckdb' || driver === 'sqlite') && path === ':memory:');
}

/** The messages of DuckDB and SQLite. */
const MISSING = /Table with name .* does not exist|no such table/;

/** Adds to a missing-table error why the table may have existed before. */
export function explainMissing(error: SqlError, connection: Readonly<Record<string, unknown>>): SqlError {
  const isBare = connection['catalog'] === undefined && connection['mounts'] === undefined;
  if (!isBare || !isInMemory(connection) || !MISSING.test(error.message)) return error;
  const hint = `The connection "${String(connection['name'])}" has no file: a table that another cell made on it is gone. Give the connection a path, or let that cell SELECT what this one needs and read it as a value.`;
  return new SqlError(error.message, { ...error, hint, cause: error });
}
