/** Runs single statements of Snowflake with the vendor's client. */

import type { Binds, Connection, RowStatement } from 'snowflake-sdk';
import { snowflakeError } from './snowflakeError.ts';

/** Session parameters that the value readers rely on; they override the account's defaults. */
const PARAMETERS = {
  TIME_OUTPUT_FORMAT: 'HH24:MI:SS.FF9',
  BINARY_OUTPUT_FORMAT: 'HEX',
  MULTI_STATEMENT_COUNT: 1,
};

/** A statement's text with its bound values. */
export interface Execution {
  readonly sql: string;
  readonly binds: readonly (string | number | boolean | null)[];
}

/**
 * Runs one statement until its result begins; rows are fetched as they are read. An abort cancels the statement at the
 * service and rejects at once.
 * @throws SqlError with the position in the text
 */
export function execute(
  connection: Connection,
  { sql, binds }: Execution,
  signal: AbortSignal,
): Promise<RowStatement> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let statement: { cancel(done: () => void): void } | null = null;
    const stop = () => {
      // The result of the cancellation is not needed.
      statement?.cancel(() => {});
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    statement = connection.execute({
      sqlText: sql,
      ...(binds.length === 0 ? {} : { binds: [...binds] as Binds }),
      streamResult: true,
      rowMode: 'array',
      fetchAsString: ['Number'],
      parameters: PARAMETERS,
      complete: (error, result) => {
        signal.removeEventListener('abort', stop);
        if (error) reject(snowflakeError(error, sql));
        else resolve(result);
      },
    });
  });
}

/** All rows of a short result. */
export async function rowsOf(
  connection: Connection,
  execution: Execution,
  signal: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const statement = await execute(connection, execution, signal);
  const rows: (readonly unknown[])[] = [];
  try {
    for await (const row of statement.streamRows()) rows.push(row as readonly unknown[]);
  } catch (error) {
    signal.throwIfAborted();
    throw snowflakeError(error, execution.sql);
  }
  return rows;
}
