/** Copies the rows of a server's artifact store from SQLite to PostgreSQL, for `svc` commands that migrate a store. */

import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Client } from 'pg';
import { RegistryError } from '../registryError.ts';
import { SCHEMA_VERSION } from '../registrySchema.ts';
import { postgresDefinitions, type StoreTable, tableNames } from './postgresTables.ts';

/** The steps of a migration between which a kill must leave all or nothing. The crash tests iterate over this list. */
export const MIGRATE_STEPS = [
  'staged',
  'batch_begun',
  'batch_copied',
  'compared',
  'moving',
  'moved',
] as const;
export type MigrateStep = (typeof MIGRATE_STEPS)[number];

export interface MigrateOptions {
  /** Only counts the rows. */
  readonly dryRun: boolean;
  /** Adds to a store that is already there; refused if a row there differs. */
  readonly allowNonempty: boolean;
  readonly onStep: (step: MigrateStep) => void;
  /** Rows of one transaction. */
  readonly batch?: number;
}

export interface Migration {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** Rows that an earlier, interrupted migration had copied. */
  readonly resumed: number;
  readonly copied: number;
}

/** The schema that has the copied rows until all are there: no server reads it. */
const STAGING = 'svc_migration';
/** The number of the lock by which two migrations into one database exclude each other. */
const LOCK = 7_246_001;
const BATCH = 1_000;
const HEAD = 'schema_version';

/**
 * Copies the rows of an artifact store to PostgreSQL, and compares counts and contents. The rows appear in the current
 * schema of the connection in one transaction at the end: an interrupted migration leaves them in a schema of its own,
 * and the next one continues there. Files are not moved.
 * @throws RegistryError conflict if the target has a store already, or the rows differ
 */
export async function migrateStore(
  source: Database,
  target: Client,
  options: MigrateOptions,
): Promise<Migration> {
  // One state of the source from the first row to the last, whatever a server writes meanwhile.
  source.exec('BEGIN');
  try {
    const tables = tableNames().map((name) => tableOf(source, name));
    const counts = tables.map(({ name }) => ({ name, rows: countOf(source, name) }));
    await checkTarget(target, tables, options);
    if (options.dryRun) return { tables: counts, resumed: 0, copied: 0 };
    const lock = await target.query<{ ok: boolean }>('SELECT pg_try_advisory_lock($1) AS ok', [LOCK]);
    if (lock.rows[0]?.ok !== true) {
      throw new RegistryError(
        'conflict',
        'Another migration to this database is running. Wait for it to end.',
      );
    }
    try {
      return { tables: counts, ...(await copyAndMove({ source, target, tables, options })) };
    } finally {
      await target.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
  } finally {
    source.exec('ROLLBACK');
  }
}

interface Copy {
  readonly source: Database;
  readonly target: Client;
  readonly tables: readonly StoreTable[];
  readonly options: MigrateOptions;
}

async function copyAndMove(copy: Copy): Promise<{ readonly resumed: number; readonly copied: number }> {
  const { source, target, tables, options } = copy;
  await inTransaction(target, async () => {
    await target.query(`CREATE SCHEMA IF NOT EXISTS ${STAGING}`);
    await target.query(`SET LOCAL search_path = ${STAGING}`);
    for (const definition of postgresDefinitions()) await target.query(definition);
  });
  options.onStep('staged');
  let resumed = 0;
  let copied = 0;
  for (const table of tables) {
    resumed += await rowsIn(target, `${STAGING}.${table.name}`);
    copied += await copyRows(copy, table);
    if ((await digestOfTarget(target, table)) === digestOfSource(source, table)) continue;
    // The source has changed since the earlier migration was interrupted.
    await target.query(`TRUNCATE ${STAGING}.${table.name}`);
    copied += await copyRows(copy, table);
    if ((await digestOfTarget(target, table)) === digestOfSource(source, table)) continue;
    throw new RegistryError(
      'conflict',
      `The rows of ${table.name} in the database differ from those of the store. Nothing was changed. Report this with the version of the database.`,
    );
  }
  options.onStep('compared');
  await inTransaction(target, async () => {
    const schema = await schemaOf(target);
    for (const table of tables) await moveTable(target, table, schema);
    await target.query(
      `SELECT setval(pg_get_serial_sequence('registry_audit', 'seq'), greatest(1, (SELECT coalesce(max(seq), 1) FROM registry_audit)))`,
    );
    await target.query(`DROP SCHEMA ${STAGING} CASCADE`);
    options.onStep('moving');
  });
  options.onStep('moved');
  return { resumed, copied };
}

/** Copies what is not there yet, in the order of the key. @returns the number of copied rows */
async function copyRows({ source, target, options }: Copy, table: StoreTable): Promise<number> {
  const { batch = BATCH } = options;
  const columns = table.columns.map((name) => `"${name}"`).join(', ');
  let after = await lastKey(target, table);
  let copied = 0;
  for (;;) {
    const rows = pageOf(source, table, { after, limit: batch });
    if (rows.length === 0) return copied;
    await inTransaction(target, async () => {
      options.onStep('batch_begun');
      const width = table.columns.length;
      const places = rows.map(
        (_row, at) => `(${table.columns.map((_name, column) => `$${at * width + column + 1}`).join(', ')})`,
      );
      await target
        .query(`INSERT INTO ${STAGING}.${table.name} (${columns}) VALUES ${places.join(', ')}`, rows.flat())
        .catch((error: unknown) => {
          throw refusalOf(error, table);
        });
    });
    copied += rows.length;
    after = keyOf(table, rows.at(-1) ?? []);
    options.onStep('batch_copied');
  }
}

/** Text of SQLite may contain NUL characters, which PostgreSQL cannot store. */
function refusalOf(error: unknown, { name }: StoreTable): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== '22021' && code !== '22P05') return error;
  return new RegistryError(
    'conflict',
    `A text in ${name} contains a character that PostgreSQL cannot store. Remove or rename that entry and run the migration again.`,
  );
}

/** Moves a table into the store, or only its rows if the table exists. */
async function moveTable(target: Client, { name, key }: StoreTable, schema: string): Promise<void> {
  const there = await target.query('SELECT to_regclass($1) IS NOT NULL AS there', [`${schema}.${name}`]);
  if (there.rows[0]?.there !== true) {
    await target.query(`ALTER TABLE ${STAGING}.${name} SET SCHEMA ${schema}`);
    return;
  }
  const staged = `${STAGING}.${name}`;
  const own = `${schema}.${name}`;
  await target.query(`INSERT INTO ${own} SELECT * FROM ${staged} ON CONFLICT (${key.join(', ')}) DO NOTHING`);
  if (name === HEAD) return;
  const missing = await target.query<{ n: string }>(
    `SELECT count(*) AS n FROM (SELECT * FROM ${staged} EXCEPT SELECT * FROM ${own}) AS missing`,
  );
  const count = Number(missing.rows[0]?.n ?? 0);
  if (count === 0) return;
  throw new RegistryError(
    'conflict',
    `${count} rows of ${name} have the same key as rows in the database, but differ. Nothing was changed. Use an empty database.`,
  );
}

/** Checks that the target has no other store. @throws RegistryError conflict */
async function checkTarget(
  target: Client,
  tables: readonly StoreTable[],
  { allowNonempty }: MigrateOptions,
): Promise<void> {
  const schema = await schemaOf(target);
  for (const { name } of tables) {
    const there = await target.query('SELECT to_regclass($1) IS NOT NULL AS there', [`${schema}.${name}`]);
    if (there.rows[0]?.there !== true) continue;
    if (name === HEAD) {
      const { rows } = await target.query<{ version: string | null }>(
        `SELECT max(version) AS version FROM ${schema}.${name}`,
      );
      const version = Number(rows[0]?.version ?? 0);
      if (version <= SCHEMA_VERSION) continue;
      throw new RegistryError(
        'conflict',
        `The store in the database was written by a newer version of Cellar (store version ${version}, this version supports ${SCHEMA_VERSION}). Update Cellar.`,
      );
    }
    const count = await rowsIn(target, `${schema}.${name}`);
    if (count === 0 || allowNonempty) continue;
    throw new RegistryError(
      'conflict',
      `The database already has ${count} rows in ${name}. Use an empty database, or pass --allow-nonempty-target to add to it.`,
    );
  }
}

async function schemaOf(target: Client): Promise<string> {
  const { rows } = await target.query<{ schema: string | null }>(
    'SELECT quote_ident(current_schema()) AS schema',
  );
  const schema = rows[0]?.schema ?? null;
  if (schema !== null) return schema;
  throw new RegistryError(
    'invalid',
    'The database user has no schema. Create one and put it on search_path.',
  );
}

async function rowsIn(target: Client, table: string): Promise<number> {
  const { rows } = await target.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`);
  return Number(rows[0]?.n ?? 0);
}

async function inTransaction(target: Client, work: () => Promise<void>): Promise<void> {
  await target.query('BEGIN');
  try {
    await work();
    await target.query('COMMIT');
  } catch (error) {
    await target.query('ROLLBACK');
    throw error;
  }
}

type Row = readonly unknown[];
type Key = readonly unknown[];

function tableOf(source: Database, name: string): StoreTable {
  const info = source.pragma(`table_info(${name})`) as { name: string; pk: number }[]; // its columns
  const key = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return { name, columns: info.map((column) => column.name), key: key.map((column) => column.name) };
}

function countOf(source: Database, name: string): number {
  return Number(source.prepare(`SELECT count(*) FROM ${name}`).pluck().get());
}

function pageOf(
  source: Database,
  { name, columns, key }: StoreTable,
  { after, limit }: { readonly after: Key | null; readonly limit: number },
): readonly Row[] {
  const where = after === null ? '' : `WHERE (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  return source
    .prepare<unknown[], Row>(
      `SELECT ${columns.join(', ')} FROM ${name} ${where} ORDER BY ${key.join(', ')} LIMIT ?`,
    )
    .raw()
    .all(...(after ?? []), limit);
}

function keyOf({ columns, key }: StoreTable, row: Row): Key {
  return key.map((name) => row[columns.indexOf(name)]);
}

/** The columns of the key in the order of SQLite, which compares text by its bytes. */
function ordered({ key }: StoreTable, types: ReadonlyMap<string, string>, direction: 'ASC' | 'DESC'): string {
  return key
    .map((name) => `"${name}"${types.get(name) === 'text' ? ' COLLATE "C"' : ''} ${direction}`)
    .join(', ');
}

async function typesOf(target: Client, { name }: StoreTable): Promise<ReadonlyMap<string, string>> {
  const { rows } = await target.query<{ column_name: string; data_type: string }>(
    'SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
    [STAGING, name],
  );
  return new Map(rows.map(({ column_name, data_type }) => [column_name, data_type]));
}

async function lastKey(target: Client, table: StoreTable): Promise<Key | null> {
  const types = await typesOf(target, table);
  const order = ordered(table, types, 'DESC');
  const { rows } = await target.query<Record<string, unknown>>(
    `SELECT * FROM ${STAGING}.${table.name} ORDER BY ${order} LIMIT 1`,
  );
  const [last] = rows;
  return last === undefined ? null : table.key.map((name) => columnOf(last, name, types));
}

/** The value of a column; `pg` reads a bigint as text. */
function columnOf(row: Record<string, unknown>, name: string, types: ReadonlyMap<string, string>): unknown {
  const value = row[name];
  return types.get(name) === 'bigint' && typeof value === 'string' ? Number(value) : value;
}

function digestOfSource(source: Database, table: StoreTable): string {
  const hash = createHash('sha256');
  for (let after: Key | null = null; ; ) {
    const rows = pageOf(source, table, { after, limit: BATCH });
    if (rows.length === 0) return hash.digest('hex');
    for (const row of rows) hash.update(lineOf(row));
    after = keyOf(table, rows.at(-1) ?? []);
  }
}

async function digestOfTarget(target: Client, table: StoreTable): Promise<string> {
  const types = await typesOf(target, table);
  const hash = createHash('sha256');
  const order = ordered(table, types, 'ASC');
  // A cursor: a large table does not fit into memory at once.
  await inTransaction(target, async () => {
    await target.query(
      `DECLARE copied NO SCROLL CURSOR FOR SELECT * FROM ${STAGING}.${table.name} ORDER BY ${order}`,
    );
    for (;;) {
      const { rows } = await target.query<Record<string, unknown>>(`FETCH ${BATCH} FROM copied`);
      if (rows.length === 0) break;
      for (const row of rows) hash.update(lineOf(table.columns.map((name) => columnOf(row, name, types))));
    }
  });
  return hash.digest('hex');
}

function lineOf(row: Row): string {
  return `${JSON.stringify(row)}\n`;
}
