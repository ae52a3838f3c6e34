import type { Connection } from 'snowflake-sdk';
import type { BoundStatement, WriteDone } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { execute, rowsOf } from './execute.ts';
import { sentAs } from './sent.ts';

/**
 * Runs statements in one transaction and commits once. Snowflake commits by itself at every statement like CREATE
 * TABLE; where a later one fails, the error says that what came before stands.
 */
export async function writeStatements(
  connection: Connection,
  statements: readonly BoundStatement[],
  signal: AbortSignal,
): Promise<readonly WriteDone[]> {
  const say = (sql: string, within: AbortSignal) => rowsOf(connection, { sql, binds: [] }, within);
  await say('BEGIN', signal);
  try {
    const done: WriteDone[] = [];
    for (const [at, bound] of statements.entries()) {
      const stands = statements.slice(0, at).some(({ statement }) => !isData(statement.kind));
      done.push(await runOne(connection, bound, signal).catch((error: unknown) => fail(error, at, stands)));
    }
    signal.throwIfAborted();
    await say('COMMIT', signal);
    return done;
  } catch (error) {
    // A session that ends without a commit is rolled back by itself.
    if (!signal.aborted) await say('ROLLBACK', AbortSignal.timeout(5_000)).catch(() => {});
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
  const sent = sentAs(bound, null);
  const statement = await execute(connection, sent.execution, signal).catch((error: unknown) => {
    throw sent.placedBack(error);
  });
  const rows = bound.statement.changesRows ? statement.getNumUpdatedRows() : undefined;
  return { rowsAffected: rows === undefined || rows < 0 ? null : BigInt(rows) };
}

function fail(error: unknown, statement: number, stands: boolean): never {
  if (!(error instanceof SqlError)) throw error;
  const { position, code, hint, cause } = error;
  const more = stands
    ? ' (earlier statements were not rolled back: Snowflake commits at statements like CREATE TABLE)'
    : '';
  throw new SqlError(`${error.message}${more}`, { position, code, hint, cause, statement });
}
