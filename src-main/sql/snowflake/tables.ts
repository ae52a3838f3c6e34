/** Reads the tables of Snowflake: whether their data changed, their columns, and the list of all. */

import type { Connection } from 'snowflake-sdk';
import type { CalledName, TableName } from '../../../src-shared/sql/tableName.ts';
import type { ConnectSettings, SchemaTable } from '../driver.ts';
import { settingsProblem } from '../warehouseSettings.ts';
import { rowsOf } from './execute.ts';
import { identifier, quotedName } from './names.ts';
import { callsRoutines } from './routines.ts';
import type { SnowflakeTarget } from './settings.ts';

/**
 * The type of tables whose catalog entry has the time of the last data change; that of views has their definition's.
 */
const TYPE_WITH_DATA_TIME = 'BASE TABLE';

/**
 * A token per table: what its name resolves to, and when it was last altered.
 * @returns null if that is unknown: for views, external tables, names of more than three parts, functions of a schema
 */
export async function freshnessOf(
  connection: Connection,
  {
    tables,
    calls,
    target,
  }: { tables: readonly TableName[]; calls: readonly CalledName[]; target: SnowflakeTarget },
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (await callsRoutines(connection, { calls, target }, signal)) return null;
  const tokens = new Set<string>();
  for (const table of tables) {
    const lookup = lookupOf(table, target);
    if (lookup === null) return null;
    const sql = `SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TO_VARCHAR(CONVERT_TIMEZONE('UTC', LAST_ALTERED), 'YYYY-MM-DD HH24:MI:SS.FF9') FROM ${lookup.catalog}.TABLES WHERE ${WHERE}`;
    const rows = await rowsOf(connection, { sql, binds: lookup.binds }, signal);
    if (rows.some(([, , , type]) => type !== TYPE_WITH_DATA_TIME)) return null;
    if (rows.length === 0) tokens.add(JSON.stringify([...lookup.binds, 'absent']));
    for (const row of rows) tokens.add(JSON.stringify(row));
  }
  return [...tokens].sort();
}

/** Names, types and nullability of the columns. */
export async function schemaFingerprintOf(
  connection: Connection,
  { tables, target }: { tables: readonly TableName[]; target: SnowflakeTarget },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines = new Set<string>();
  for (const table of tables) {
    const lookup = lookupOf(table, target);
    if (lookup === null) continue;
    const sql = `SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, ${COLUMN} FROM ${lookup.catalog}.COLUMNS WHERE ${WHERE}`;
    for (const row of await rowsOf(connection, { sql, binds: lookup.binds }, signal))
      lines.add(JSON.stringify(row));
  }
  return [...lines].sort();
}

const COLUMN =
  'COLUMN_NAME, DATA_TYPE, IS_NULLABLE, NUMERIC_PRECISION, NUMERIC_SCALE, CHARACTER_MAXIMUM_LENGTH, DATETIME_PRECISION';
/** A name without a schema is looked up in the session's schema and in PUBLIC; both may contain it later. */
const WHERE =
  "TABLE_NAME = ? AND (TABLE_SCHEMA = COALESCE(?, CURRENT_SCHEMA()) OR (? AND TABLE_SCHEMA = 'PUBLIC'))";

interface CatalogLookup {
  /** The quoted INFORMATION_SCHEMA of the table's database. */
  readonly catalog: string;
  readonly binds: readonly (string | boolean | null)[];
}

/** The lookup of a table, with its name as Snowflake reads it: in upper case unless quoted. */
function lookupOf({ parts, quoted }: TableName, target: SnowflakeTarget): CatalogLookup | null {
  const names = parts.map((part, at) => (quoted[at] === true ? part : part.toUpperCase()));
  if (names.length > 3) return null;
  const [table = '', schema, database] = names.toReversed();
  const catalog = database ?? identifier(target.database);
  const own = identifier(target.schema);
  if (schema === 'INFORMATION_SCHEMA') return null;
  return {
    catalog: catalog === undefined ? 'INFORMATION_SCHEMA' : `${quotedName(catalog)}.INFORMATION_SCHEMA`,
    binds: [table, schema ?? own ?? null, schema === undefined],
  };
}

/** All tables and views of the connection's database, except INFORMATION_SCHEMA. */
export async function schemaOf(
  connection: Connection,
  { settings, target }: { settings: ConnectSettings; target: SnowflakeTarget },
  signal: AbortSignal,
): Promise<readonly SchemaTable[]> {
  if (target.database === null) throw settingsProblem(settings, 'needs database, to list what is in it.');
  const sql = `SELECT TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, IS_NULLABLE FROM ${quotedName(identifier(target.database) ?? '')}.INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;
  const tables = new Map<string, SchemaTable & { columns: SchemaTable['columns'][number][] }>();
  for (const row of await rowsOf(connection, { sql, binds: [] }, signal)) {
    const [catalog = '', schema = '', name = '', column = '', type = '', nullable] = row.map(String);
    const key = JSON.stringify([schema, name]);
    const table = tables.get(key) ?? { catalog, schema, name, columns: [] };
    table.columns.push({ name: column, type, nullable: nullable === 'YES' });
    tables.set(key, table);
  }
  return [...tables.values()];
}
