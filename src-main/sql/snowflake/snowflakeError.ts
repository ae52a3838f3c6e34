/** Converts errors of Snowflake to SqlErrors. */

import { SqlError } from '../sqlError.ts';

interface ClientError {
  readonly message?: string;
  readonly code?: number | string;
  readonly data?: { readonly line?: number; readonly pos?: number } | null;
  readonly cause?: unknown;
}

/** An error of Snowflake or of the network as an SqlError. @param sql the text that was sent */
export function snowflakeError(error: unknown, sql = ''): SqlError {
  if (error instanceof SqlError) return error;
  const { message = String(error), code, data } = error as ClientError;
  const place = /line (\d+) at position (\d+)/.exec(message);
  const line = data?.line ?? (place === null ? -1 : Number(place[1]));
  const column = data?.pos ?? (place === null ? -1 : Number(place[2]));
  return new SqlError(message, {
    cause: error,
    code: code === undefined ? null : String(code),
    position: line >= 1 && column >= 0 ? offsetOf(sql, line, column) : null,
  });
}

/** The error of a failed login, with the account; the client's message contains no secret. */
export function connectError(error: unknown, facts: { name: string; account: string }): SqlError {
  const { message, code } = snowflakeError(error);
  const lead = `The connection "${facts.name}" could not connect to the account ${facts.account}`;
  return new SqlError(`${lead}: ${message}`, { cause: error, code });
}

/** The offset of a position. Lines count from 1, columns from 0, in characters. */
function offsetOf(sql: string, line: number, column: number): number | null {
  let start = 0;
  for (let lines = line; lines > 1; lines -= 1) {
    const end = sql.indexOf('\n', start);
    if (end === -1) return null;
    start = end + 1;
  }
  let offset = start;
  for (const character of sql.slice(start)) {
    if (offset - start >= sql.length || column <= 0) break;
    column -= 1;
    offset += character.length;
  }
  return offset;
}
