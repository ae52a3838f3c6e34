/** Converts errors of DuckDB to SqlErrors with their position. */

import { SqlError } from '../sqlError.ts';

/** Converts an error of DuckDB, which is JSON; its position counts bytes of UTF-8. */
export function duckdbError(error: unknown, sql: string | null, statement: number | null = null): unknown {
  if (error instanceof SqlError || !(error instanceof Error)) return error;
  const details = detailsOf(error.message);
  if (details === null) return new SqlError(error.message, { statement, cause: error });
  const kind = typeof details['exception_type'] === 'string' ? details['exception_type'] : null;
  const message = String(details['exception_message'] ?? error.message);
  const bytes = typeof details['position'] === 'string' ? Number(details['position']) : Number.NaN;
  return new SqlError(kind === null ? message : `${kind} error: ${message}`, {
    code: kind,
    position:
      sql === null || !Number.isInteger(bytes) ? null : Buffer.from(sql).subarray(0, bytes).toString().length,
    statement,
    cause: error,
  });
}

function detailsOf(message: string): Readonly<Record<string, unknown>> | null {
  const at = message.indexOf('{');
  if (at === -1) return null;
  try {
    return JSON.parse(message.slice(at)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
