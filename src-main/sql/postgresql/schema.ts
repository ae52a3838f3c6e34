/** Lists the tables and views of a PostgreSQL database. */

import type { SchemaColumn, SchemaTable } from '../driver.ts';
import type { RunQuery } from './userDefinedTypes.ts';

/** All tables and views that the login may read, without system tables. */
export async function schemaOf(runQuery: RunQuery): Promise<readonly SchemaTable[]> {
  const rows = await runQuery(SCHEMA, []);
  return rows.map(({ catalog, schema, name, columns }) => ({
    catalog: String(catalog),
    schema: String(schema),
    name: String(name),
    columns: (columns ?? []) as readonly SchemaColumn[], // the shape that SCHEMA builds
  }));
}

const SCHEMA = `
  SELECT pg_catalog.current_database() AS catalog, n.nspname AS schema, c.relname AS name,
         (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                   'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
                   'nullable', NOT a.attnotnull) ORDER BY a.attnum)
            FROM pg_catalog.pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
     AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
     AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
     AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
   ORDER BY n.nspname, c.relname`;
