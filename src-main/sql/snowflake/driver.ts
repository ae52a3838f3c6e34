/** The Snowflake driver of SQL cells: connects with the vendor's client, and can read tables as of a fixed time. */

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
const SNAPSHOT_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}\+00:00$/;

/** Snowflake, through the vendor's client. The grants of its role decide what a connection may do. */
export const snowflake: Driver = {
  name: 'snowflake',
  dialect: DIALECTS.snowflake,
  capabilities: { freshness: 'table', snapshots: true },
  identity(settings, access) {
    const { account, user, role, warehouse, database, schema, accessUrl } = targetOf(settings, access);
    const address = accessUrl === null ? {} : { access_url: accessUrl };
    return { account, user, role, warehouse, database, schema, ...address };
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
  // The time becomes part of the text, so nothing else may be in it.
  if (snapshot !== null && !SNAPSHOT_TIME.test(snapshot)) {
    throw new SqlError(`"${snapshot}" is not a valid snapshot time.`);
  }
  const query = snowflakeStatement(bound, snapshot);
  return readStatement(connection, query.execution, signal).catch((error: unknown) => {
    throw query.withOriginalPosition(error);
  });
}

/** The time of the service's clock, because Snowflake refuses a time after it. */
async function takeSnapshot(connection: Connection, signal: AbortSignal): Promise<string> {
  const [row] = await rowsOf(connection, { sql: NOW, binds: [] }, signal);
  const time = row?.[0];
  if (typeof time === 'string' && SNAPSHOT_TIME.test(time)) return time;
  throw new SqlError('Snowflake did not return the current time.');
}
