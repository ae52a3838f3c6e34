/** Runs the statements of a writing SQL cell on BigQuery. */

import type { BoundStatement, WriteDone } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { queryParameter } from './binds.ts';
import type { BigQueryClient } from './client.ts';
import { cancelJob, insertJob, type Job, refreshedJob, resultPage } from './job.ts';

/**
 * Runs statements in one transaction of a session. BigQuery has no transactions for statements such as CREATE TABLE:
 * with one of them, statements before a failure are not undone, and the error says so. A single statement is atomic.
 */
export async function writeStatements(
  client: BigQueryClient,
  statements: readonly BoundStatement[],
  signal: AbortSignal,
): Promise<readonly WriteDone[]> {
  const isTransactional =
    statements.length > 1 && statements.every(({ statement }) => isData(statement.kind));
  return isTransactional
    ? inTransaction(client, statements, signal)
    : oneByOne(client, statements, { signal });
}

function isData(kind: string): boolean {
  return /^(INSERT|UPDATE|DELETE|MERGE|SELECT|WITH)\b/.test(kind);
}

async function inTransaction(
  client: BigQueryClient,
  statements: readonly BoundStatement[],
  signal: AbortSignal,
): Promise<readonly WriteDone[]> {
  const beginJob = await insertJob(
    client,
    { sql: 'BEGIN TRANSACTION', parameters: [], session: 'new' },
    signal,
  );
  const session = beginJob.statistics?.sessionInfo?.sessionId;
  if (session === undefined) throw new SqlError('BigQuery did not start a session for the transaction.');
  const run = async (sql: string, within: AbortSignal) => {
    const job = await insertJob(client, { sql, parameters: [], session }, within);
    await resultPage(client, { job, sql, pageToken: null }, within);
  };
  try {
    await resultPage(client, { job: beginJob, sql: '', pageToken: null }, signal);
    const results = await oneByOne(client, statements, { signal, session });
    signal.throwIfAborted();
    await run('COMMIT TRANSACTION', signal);
    return results;
  } catch (error) {
    // Ends the transaction if it is still open; an abandoned session is rolled back by the service.
    await run('ROLLBACK TRANSACTION', AbortSignal.timeout(5_000)).catch(() => {});
    throw error;
  } finally {
    void run('CALL BQ.ABORT_SESSION()', AbortSignal.timeout(5_000)).catch(() => {});
  }
}

async function oneByOne(
  client: BigQueryClient,
  statements: readonly BoundStatement[],
  { signal, session }: { signal: AbortSignal; session?: string },
): Promise<readonly WriteDone[]> {
  const results: WriteDone[] = [];
  for (const [at, bound] of statements.entries()) {
    signal.throwIfAborted();
    const isPartial = session === undefined && at > 0;
    results.push(
      await runOne(client, bound, { signal, session }).catch((error) => fail(error, at, isPartial)),
    );
  }
  return results;
}

async function runOne(
  client: BigQueryClient,
  { sql, binds, statement }: BoundStatement,
  { signal, session }: { signal: AbortSignal; session: string | undefined },
): Promise<WriteDone> {
  const query = { sql, parameters: binds.map(queryParameter), ...(session === undefined ? {} : { session }) };
  const job = await insertJob(client, query, signal);
  const cancel = () => void cancelJob(client, job);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await resultPage(client, { job, sql, pageToken: null }, signal);
    return { rowsAffected: statement.changesRows ? affected(await refreshedJob(client, job, signal)) : null };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function affected(job: Job): bigint | null {
  const rows = job.statistics?.query?.numDmlAffectedRows;
  return rows === undefined ? null : BigInt(rows);
}

function fail(error: unknown, statement: number, isPartial: boolean): never {
  if (!(error instanceof SqlError)) throw error;
  const { position, code, hint, cause } = error;
  const note = isPartial
    ? ' (earlier statements were not rolled back: BigQuery does not support transactions for such statements)'
    : '';
  throw new SqlError(`${error.message}${note}`, { position, code, hint, cause, statement });
}
