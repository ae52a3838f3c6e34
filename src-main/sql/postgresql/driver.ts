/** The PostgreSQL driver of SQL cells: connects, reads, writes, and detects changes of tables. */

import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { Access, ConnectSettings, Driver, SqlConnection } from '../driver.ts';
import { openSession, type PgSession } from './connect.ts';
import { freshnessOf, schemaFingerprintOf } from './freshness.ts';
import { pgError } from './pgError.ts';
import { readStatement } from './read.ts';
import { schemaOf } from './schema.ts';
import { targetOf } from './settings.ts';
import { queryFunction, type RunQuery, UserDefinedTypes } from './userDefinedTypes.ts';
import { writeStatements } from './write.ts';

/** PostgreSQL, through the `pg` package. */
export const postgresql: Driver = {
  name: 'postgresql',
  dialect: DIALECTS.postgresql,
  capabilities: { freshness: 'table', snapshots: false },
  identity(settings, access) {
    const { host, port, database, user, role, searchPath } = targetOf(settings, access);
    return { host, port, database, user, role, search_path: searchPath };
  },
  async connect(settings, { access, signal }) {
    const session = await openSession(settings, access, signal);
    return connectionOf(session, { settings, access });
  },
};

function connectionOf(
  session: PgSession,
  { settings, access }: { settings: ConnectSettings; access: Access },
): SqlConnection {
  const types = new UserDefinedTypes(async (sql, values) => {
    // The session is busy with the statement whose types are looked up.
    const second = await openSession(settings, access, AbortSignal.timeout(15_000));
    return queryCatalog(second, AbortSignal.timeout(15_000), (runQuery) => runQuery(sql, values)).finally(
      () => second.close(),
    );
  });
  const inCatalog = <T>(signal: AbortSignal, work: (runQuery: RunQuery) => Promise<T>) =>
    queryCatalog(session, signal, work);
  return {
    query: (bound, { signal }) => readStatement(session, bound, { types, signal }),
    write: (statements, { signal }) => writeStatements(session, statements, signal),
    freshness: (tables, signal, calls = []) =>
      inCatalog(signal, (runQuery) => freshnessOf(runQuery, tables, calls)),
    schemaFingerprint: (tables, signal) =>
      inCatalog(signal, (runQuery) => schemaFingerprintOf(runQuery, tables)),
    schema: (signal) => inCatalog(signal, schemaOf),
    close: () => session.close(),
  };
}

/** Runs catalog queries in one read-only transaction; an abort closes the connection. */
async function queryCatalog<T>(
  session: PgSession,
  signal: AbortSignal,
  work: (runQuery: RunQuery) => Promise<T>,
): Promise<T> {
  const abandon = () => session.abandon();
  signal.throwIfAborted();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    await session.begin('READ ONLY');
    const result = await work(queryFunction(session.client));
    await session.client.query('ROLLBACK');
    return result;
  } catch (error) {
    signal.throwIfAborted();
    await session.client.query('ROLLBACK').catch(() => {});
    throw pgError(error);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
