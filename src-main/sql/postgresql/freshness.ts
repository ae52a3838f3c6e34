/** Detects whether the data or columns of PostgreSQL tables changed since a result was stored. */

import type { CalledName, TableName } from '../../../src-shared/sql/tableName.ts';
import type { CatalogRow, RunQuery } from './userDefinedTypes.ts';

/**
 * A token per table: what its name resolves to, its data file, and the counters of changed rows. A view includes
 * everything it reads, a partitioned table its partitions.
 * @returns null if there are no counters: for foreign tables, sequences, system views, and functions that are not
 * immutable, called by a view or by the statement itself
 */
export async function freshnessOf(
  runQuery: RunQuery,
  tables: readonly TableName[],
  calls: readonly CalledName[] = [],
): Promise<readonly string[] | null> {
  if (await callsReaders(runQuery, calls)) return null;
  const tokens = new Set<string>();
  const [database] = await runQuery(COUNTING_SINCE, []);
  tokens.add(JSON.stringify(['counting since', database?.['since'] ?? null]));
  for (const table of tables) {
    const rows = await runQuery(RELATIONS, [quotedName(table)]);
    if (rows.some(({ countless }) => countless === true)) return null;
    if (rows.length === 0) tokens.add(JSON.stringify([quotedName(table), 'absent']));
    for (const row of rows)
      tokens.add(JSON.stringify([quotedName(table), ...FACTS.map((fact) => row[fact] ?? null)]));
  }
  return [...tokens].sort();
}

/** Whether one of the names is a function that may read unknown tables, files or settings. */
async function callsReaders(runQuery: RunQuery, calls: readonly CalledName[]): Promise<boolean> {
  if (calls.length === 0) return false;
  const names = calls.map(({ parts, quoted }) => {
    const name = parts.at(-1) ?? '';
    return quoted.at(-1) === true ? name : lowered(name);
  });
  return (await runQuery(READERS, [JSON.stringify(names)])).length > 0;
}

/** Names, types and nullability of the columns of the tables and of everything their views read. */
export async function schemaFingerprintOf(
  runQuery: RunQuery,
  tables: readonly TableName[],
): Promise<readonly string[]> {
  const lines = new Set<string>();
  for (const table of tables) {
    for (const row of await runQuery(COLUMNS, [quotedName(table)])) lines.add(columnLine(table, row));
  }
  return [...lines].sort();
}

function columnLine(table: TableName, { relation, definition, columns }: CatalogRow): string {
  return JSON.stringify([quotedName(table), relation, definition, columns]);
}

/** A name as the server reads it: in lower case unless quoted. */
function quotedName({ parts, quoted }: TableName): string {
  return parts
    .map((part, at) => `"${(quoted[at] === true ? part : lowered(part)).replaceAll('"', '""')}"`)
    .join('.');
}

/** In a UTF-8 database, PostgreSQL folds only ASCII to lower case. */
function lowered(part: string): string {
  return part.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const FACTS = ['oid', 'relation', 'relfilenode', 'inserted', 'updated', 'deleted', 'rule'];

const COUNTING_SINCE = `
  SELECT stats_reset::text AS since FROM pg_catalog.pg_stat_database
   WHERE datname = pg_catalog.current_database()`;

/** Includes built-in functions that read files, server state, or tables named in a string. */
const READERS = `
  SELECT p.oid::int8 FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
   WHERE p.provolatile <> 'i'
     AND p.proname IN (SELECT pg_catalog.jsonb_array_elements_text($1::jsonb))
     AND (n.nspname <> 'pg_catalog'
          OR p.proname ~ '^(pg_|lo_|loread|nextval|currval|lastval|txid_|has_|(query|table|cursor|schema|database)_to_xml)'
         AND p.proname NOT IN ('pg_typeof', 'pg_collation_for', 'pg_column_size', 'pg_sleep'))
   LIMIT 1`;

/** All relations that a name leads to: itself, those its view reads, its partitions and children. */
const REACHED = `
  WITH RECURSIVE reached(oid) AS (
    SELECT pg_catalog.to_regclass($1)::oid
     UNION
    SELECT next.oid FROM reached r CROSS JOIN LATERAL (
      SELECT d.refobjid FROM pg_catalog.pg_rewrite w JOIN pg_catalog.pg_depend d
             ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
            AND d.refclassid = 'pg_catalog.pg_class'::regclass
       WHERE w.ev_class = r.oid
       UNION ALL
      SELECT i.inhrelid FROM pg_catalog.pg_inherits i WHERE i.inhparent = r.oid
    ) AS next(oid)
  )`;

/** A materialized view has its own rows, so the tables it was created from do not count. */
const RELATIONS = `${REACHED.replace('w.ev_class = r.oid', "w.ev_class = r.oid AND NOT EXISTS (SELECT FROM pg_catalog.pg_class m WHERE m.oid = r.oid AND m.relkind = 'm')")}
  SELECT c.oid::int8, n.nspname || '.' || c.relname AS relation, c.relfilenode::int8,
         pg_catalog.pg_stat_get_tuples_inserted(c.oid) AS inserted,
         pg_catalog.pg_stat_get_tuples_updated(c.oid) AS updated,
         pg_catalog.pg_stat_get_tuples_deleted(c.oid) AS deleted,
         (SELECT pg_catalog.string_agg(w.xmin::text, ',' ORDER BY w.oid)
            FROM pg_catalog.pg_rewrite w WHERE w.ev_class = c.oid) AS rule,
         c.relkind NOT IN ('r', 'p', 'm', 'v')
           OR n.nspname IN ('pg_catalog', 'information_schema')
           OR EXISTS (
             SELECT FROM pg_catalog.pg_rewrite w
               JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = w.oid
                AND d.refclassid = 'pg_catalog.pg_proc'::regclass
               JOIN pg_catalog.pg_proc p ON p.oid = d.refobjid AND p.provolatile <> 'i'
              WHERE w.ev_class = c.oid) AS countless
    FROM reached r JOIN pg_catalog.pg_class c ON c.oid = r.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;

const COLUMNS = `${REACHED}
  SELECT n.nspname || '.' || c.relname AS relation,
         CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) END AS definition,
         (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(
                   a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull) ORDER BY a.attname)
            FROM pg_catalog.pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
    FROM reached r JOIN pg_catalog.pg_class c ON c.oid = r.oid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`;
