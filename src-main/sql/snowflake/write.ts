/** Runs the statements of a writing SQL cell on Snowflake. */

import type { Connection } from 'snowflake-sdk';
import type { BoundStatement, WriteDone } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { execute, rowsOf } from './execute.ts';
import { snowflakeStatement } from './snowflakeStatement.ts';

/**
 * Runs statements in one transaction and commits once. Snowflake itself commits at statements like CREATE TABLE; if a
 * later statement fails, the error says that earlier ones were not rolled back.
 */
export async function writeStatements(
  connection: Connection,
  statements: readonly BoundStatement[],
  signal: AbortSignal,
): Promise<readonly WriteDone[]> {
  const run = (sql: string, within: AbortSignal) => rowsOf(connection, { sql, binds: [] }, within);
  await run('BEGIN', signal);
  try {
    const results: WriteDone[] = [];
    for (const [at, bound] of statements.entries()) {
      const isCommitted = statements.slice(0, at).some(({ statement }) => !isData(statement.kind));
      results.push(
        await runOne(connection, bound, signal).catch((error: unknown) => fail(error, at, isCommitted)),
      );
    }
    signal.throwIfAborted();
    await run('COMMIT', signal);
    return results;
  } catch (error) {
    // Snowflake rolls back a session that ends without a commit.
    if (!signal.aborted) await run('ROLLBACK', AbortSignal.timeout(5_000)).catch(() => {});
    throw error;
  }
}

function isData(kind: string): boolean {
  return /^(INSERT|UPDATE|DELETE|MERGE|SELECT|WITH)\b/.test(kind);
}

async function runOne(
  connection: Connection,
  bound: BoundStatement,
  signal: AbortSignal,
): Promise<WriteDone> {
  const query = snowflakeStatement(bound, null);
  const statement = await execute(connection, query.execution, signal).catch((error: unknown) => {
    throw query.withOriginalPosition(error);
  });
  const rows = bound.statement.changesRows ? statement.getNumUpdatedRows() : undefined;
  return { rowsAffected: rows === undefined || rows < 0 ? null : BigInt(rows) };
}

function fail(error: unknown, statement: number, isCommitted: boolean): never {
  if (!(error instanceof SqlError)) throw error;
  const { position, code, hint, cause } = error;
  const more = isCommitted
    ? ' (earlier statements were not rolled back: Snowflake commits at statements like CREATE TABLE)'
    : '';
  throw new SqlError(`${error.message}${more}`, { position, code, hint, cause, statement });
}
