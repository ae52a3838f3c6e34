/** Recognizes calls of user-defined functions in Snowflake statements, because such functions may read other tables. */

import type { Connection } from 'snowflake-sdk';
import type { CalledName } from '../../../src-shared/sql/tableName.ts';
import { rowsOf } from './execute.ts';
import { identifier, quotedName } from './names.ts';
import type { SnowflakeTarget } from './settings.ts';

/**
 * Whether one of the names is a function of a schema, which may read tables that no FROM names. Snowflake's own
 * functions have names of one part, but those that report on the service itself count too.
 */
export async function callsRoutines(
  connection: Connection,
  { calls, target }: { calls: readonly CalledName[]; target: SnowflakeTarget },
  signal: AbortSignal,
): Promise<boolean> {
  if (calls.length === 0) return false;
  if (calls.some(({ parts }) => parts.length > 1 || /^(SYSTEM\$|GET_DDL$)/i.test(parts[0] ?? '')))
    return true;
  const database = identifier(target.database) ?? (await currentDatabase(connection, signal));
  // Without a database, a name of one part can only be one of Snowflake's own functions.
  if (database === null) return false;
  const names = calls.map(({ parts, quoted }) =>
    quoted[0] === true ? (parts[0] ?? '') : (parts[0] ?? '').toUpperCase(),
  );
  const slots = names.map(() => '?').join(', ');
  const sql = `SELECT FUNCTION_NAME FROM ${quotedName(database)}.INFORMATION_SCHEMA.FUNCTIONS WHERE FUNCTION_NAME IN (${slots}) LIMIT 1`;
  return (await rowsOf(connection, { sql, binds: names }, signal)).length > 0;
}

async function currentDatabase(connection: Connection, signal: AbortSignal): Promise<string | null> {
  const [row] = await rowsOf(connection, { sql: 'SELECT CURRENT_DATABASE()', binds: [] }, signal);
  const name = row?.[0] ?? null;
  return name === null ? null : String(name);
}
