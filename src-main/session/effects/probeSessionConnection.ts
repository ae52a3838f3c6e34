/**
 * Connects to a database of a session's notebook outside of any run, for a test of the connection or its table list.
 */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';
import { type ConnectionSettings, probeConnection } from '../../run/sql/probeConnection.ts';
import type { SqlStepOptions } from '../../run/sql/sqlStepOptions.ts';
import type { SchemaTable } from '../../sql/driver.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';

/** The tables of a connection, or none after a mere test. */
export interface ConnectionSchema {
  readonly driver: string;
  readonly tables: readonly SchemaTable[];
}

/** Timeout for a database when a user inspects it. */
export const PATIENCE_MS = 30_000;

/**
 * Connects as a reading cell would. @param what `test` reads nothing more than that @throws AppError
 * not_found, NOTEBOOK_UNTRUSTED, conflict, bad_request with the database's message
 */
export async function probeSessionConnection(
  state: SessionState,
  {
    name,
    what,
    sql,
  }: { readonly name: string; readonly what: 'schema' | 'test'; readonly sql: SqlStepOptions | null },
): Promise<ConnectionSchema> {
  const { connection, options } = usableConnection(state, name, sql);
  const result = await probeConnection(options, {
    ...connectionSettings(state, connection),
    what,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if ('problem' in result) throw new AppError('bad_request', result.problem);
  return { driver: connection.driver, tables: result.tables };
}

/** @throws AppError as {@link probeSessionConnection} */
export function usableConnection(
  state: SessionState,
  name: string,
  sql: SqlStepOptions | null,
): { readonly connection: Connection; readonly options: SqlStepOptions } {
  const connection = state.file.connections.find((one) => one.name === name);
  if (connection === undefined) {
    const malformed = state.file.malformedConnections.find((one) => one.name === name);
    if (malformed === undefined) throw new AppError('not_found', 'Connection not found');
    throw new AppError('bad_request', `The connection "${name}" cannot be used: ${malformed.error}.`);
  }
  return { connection, options: usableSql(state, sql) };
}

/** @throws AppError where nothing may be read now */
export function usableSql(state: SessionState, sql: SqlStepOptions | null): SqlStepOptions {
  if (state.closing) throw new AppError('conflict', 'The session is closing.');
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) throw untrusted;
  if (sql === null) throw new AppError('bad_request', 'SQL connections are not available here.');
  return sql;
}

/** A connection with what its settings refer to. */
export function connectionSettings({ path, file }: SessionState, connection: Connection): ConnectionSettings {
  const { env, mounts, catalogs } = file;
  return { connection, notebookDir: path, env, mounts, catalogs };
}
