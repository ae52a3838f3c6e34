/** Runs the statements of a writing SQL cell on PostgreSQL. */

import type { BoundStatement, WriteDone } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import type { PgSession } from './connect.ts';
import { PgCursor } from './cursor.ts';

/** Rows of a RETURNING are skipped in pages of this size. */
const PAGE_ROWS = 4_096;

/** Runs statements in one transaction and commits once; the first failure rolls back all of them. */
export async function writeStatements(
  session: PgSession,
  statements: readonly BoundStatement[],
  signal: AbortSignal,
): Promise<readonly WriteDone[]> {
  const { client } = session;
  const abandon = () => session.abandon();
  signal.throwIfAborted();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    await session.begin('READ WRITE');
    const results: WriteDone[] = [];
    for (const [at, bound] of statements.entries()) results.push(await runOne(session, bound, at));
    signal.throwIfAborted();
    await client.query('COMMIT');
    return results;
  } catch (error) {
    if (!signal.aborted) await client.query('ROLLBACK').catch(() => {});
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

async function runOne({ client }: PgSession, bound: BoundStatement, at: number): Promise<WriteDone> {
  try {
    const cursor = new PgCursor(client, bound);
    let page = await cursor.read(PAGE_ROWS);
    let returnedRows = page.rows.length;
    while (page.rows.length === PAGE_ROWS) {
      page = await cursor.read(PAGE_ROWS);
      returnedRows += page.rows.length;
    }
    if (!bound.statement.changesRows) return { rowsAffected: null };
    // For RETURNING the server only counts the rows of the last page; each returned row is one changed row.
    const count = page.fields.length > 0 ? returnedRows : page.rowCount;
    return { rowsAffected: count === null ? null : BigInt(count) };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { position, code, hint, cause } = error;
    throw new SqlError(error.message, { position, code, hint, cause, statement: at });
  }
}
