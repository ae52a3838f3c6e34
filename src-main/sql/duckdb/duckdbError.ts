import { SqlError } from '../sqlError.ts';

/** DuckDB answers with its errors as JSON; the place is counted in bytes of UTF-8. */
export function duckdbError(error: unknown, sql: string | null, statement: number | null = null): unknown {
  if (error instanceof SqlError || !(error instanceof Error)) return error;
  const found = detailsOf(error.message);
  if (found === null) return new SqlError(error.message, { statement, cause: error });
  const kind = typeof found['exception_type'] === 'string' ? found['exception_type'] : null;
  const message = String(found['exception_message'] ?? error.message);
  const bytes = typeof found['position'] === 'string' ? Number(found['position']) : Number.NaN;
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
