import type { Connection } from 'snowflake-sdk';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import type { BoundStatement, ConnectSettings, Driver, SqlConnection } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { rowsOf } from './execute.ts';
import { readStatement } from './read.ts';
import { closeSession, openSession } from './session.ts';
import { type SnowflakeTarget, targetOf } from './settings.ts';
import { snowflakeStatement } from './snowflakeStatement.ts';
import { freshnessOf, schemaFingerprintOf, schemaOf } from './tables.ts';
import { writeStatements } from './write.ts';

const NOW = `SELECT TO_VARCHAR(CONVERT_TIMEZONE('UTC', CURRENT_TIMESTAMP()), 'YYYY-MM-DD"T"HH24:MI:SS.FF9"+00:00"')`;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}\+00:00$/;

/** Snowflake, through the vendor's client. The grants of the connection's role decide what it may do. */
export const snowflake: Driver = {
  name: 'snowflake',
  dialect: DIALECTS.snowflake,
  capabilities: { freshness: 'table', snapshots: true },
  identity(settings, access) {
    const { account, user, role, warehouse, database, schema, accessUrl } = targetOf(settings, access);
    const accessUrlPart = accessUrl === null ? {} : { access_url: accessUrl };
    return { account, user, role, warehouse, database, schema, ...accessUrlPart };
  },
  async connect(settings, { access, signal }) {
    const target = targetOf(settings, access);
    return connectionOf(await openSession(settings, access, signal), { settings, target });
  },
};

function connectionOf(
  connection: Connection,
  { settings, target }: { settings: ConnectSettings; target: SnowflakeTarget },
): SqlConnection {
  let closed: Promise<void> | null = null;
  return {
    query: (bound, options) => readBound(connection, bound, options),
    write: (statements, { signal }) => writeStatements(connection, statements, signal),
    freshness: (tables, signal, calls = []) => freshnessOf(connection, { tables, calls, target }, signal),
    schemaFingerprint: (tables, signal) => schemaFingerprintOf(connection, { tables, target }, signal),
    takeSnapshot: (signal) => takeSnapshot(connection, signal),
    schema: (signal) => schemaOf(connection, { settings, target }, signal),
    close() {
      closed ??= closeSession(connection);
      return closed;
    },
  };
}

async function readBound(
  connection: Connection,
  bound: BoundStatement,
  { signal, snapshot }: { signal: AbortSignal; snapshot: string | null },
) {
  // The snapshot becomes part of the text, so only a timestamp is accepted.
  if (snapshot !== null && !MOMENT.test(snapshot)) {
    throw new SqlError(`"${snapshot}" is not a valid snapshot time.`);
  }
  const rendered = snowflakeStatement(bound, snapshot);
  return readStatement(connection, rendered.execution, signal).catch((error: unknown) => {
    throw rendered.withOriginalPosition(error);
  });
}

/** Uses the service's clock: Snowflake refuses a time in the future. */
async function takeSnapshot(connection: Connection, signal: AbortSignal): Promise<string> {
  const [row] = await rowsOf(connection, { sql: NOW, binds: [] }, signal);
  const moment = row?.[0];
  if (typeof moment === 'string' && MOMENT.test(moment)) return moment;
  throw new SqlError('Snowflake did not return the current time.');
}
