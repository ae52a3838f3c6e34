import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { Access, ConnectSettings, Driver, SqlConnection } from '../driver.ts';
import { openSession, type PgSession } from './connect.ts';
import { freshnessOf, schemaFingerprintOf } from './freshness.ts';
import { type Ask, askOf, OwnTypes } from './ownTypes.ts';
import { pgError } from './pgError.ts';
import { readStatement } from './read.ts';
import { schemaOf } from './schema.ts';
import { targetOf } from './settings.ts';
import { writeStatements } from './write.ts';

/** PostgreSQL, by `pg`. */
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
  const types = new OwnTypes(async (sql, values) => {
    // The line is busy with the statement whose types these are.
    const beside = await openSession(settings, access, AbortSignal.timeout(15_000));
    return askAside(beside, AbortSignal.timeout(15_000), (ask) => ask(sql, values)).finally(() =>
      beside.close(),
    );
  });
  const asking = <T>(signal: AbortSignal, work: (ask: Ask) => Promise<T>) => askAside(session, signal, work);
  return {
    query: (bound, { signal }) => readStatement(session, bound, { types, signal }),
    write: (statements, { signal }) => writeStatements(session, statements, signal),
    freshness: (tables, signal, calls = []) => asking(signal, (ask) => freshnessOf(ask, tables, calls)),
    schemaFingerprint: (tables, signal) => asking(signal, (ask) => schemaFingerprintOf(ask, tables)),
    schema: (signal) => asking(signal, schemaOf),
    close: () => session.close(),
  };
}

/** Questions about the catalog, all in one transaction; aborting drops the line. */
async function askAside<T>(
  session: PgSession,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  const abandon = () => session.abandon();
  signal.throwIfAborted();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    await session.begin('READ ONLY');
    const found = await work(askOf(session.client));
    await session.client.query('ROLLBACK');
    return found;
  } catch (error) {
    signal.throwIfAborted();
    await session.client.query('ROLLBACK').catch(() => {});
    throw pgError(error);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
