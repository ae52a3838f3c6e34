import { realpathSync, statSync } from 'node:fs';
import type { DuckDBConnection as Connection } from '@duckdb/node-api';
import type { ConnectSettings } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import type { Statement } from '../statement.ts';
import { quotedText } from './quoted.ts';

/** What a notebook may set of a shared server's DuckDB: how it works, not what it reaches. */
const HARMLESS: ReadonlySet<string> = new Set([
  'TimeZone',
  'default_null_order',
  'default_order',
  'max_memory',
  'memory_limit',
  'preserve_insertion_order',
  'threads',
]);

/** Where tables of a catalog lie: its own metadata says where, a statement cannot (`refuseUnnamed`). */
const REMOTE = [
  's3://',
  's3a://',
  'gs://',
  'gcs://',
  'r2://',
  'az://',
  'azure://',
  'abfss://',
  'http://',
  'https://',
];

/** @throws SqlError for an option that could open a way to other files */
export function checkConfinedOptions({ name, options }: ConnectSettings): void {
  for (const key of Object.keys(options)) {
    if (HARMLESS.has(key)) continue;
    throw new SqlError(
      `The option ${key} of the connection "${name}" is not allowed on a shared server. Allowed: ${[...HARMLESS].join(', ')}.`,
    );
  }
}

/**
 * From here on DuckDB itself opens nothing but files of the notebook's folder and of the mounts the connection shows
 * (sql), follows no link out of them, loads no extension and takes no other settings. Relative paths are those
 * of the process's own folder, so that it has to be the notebook's (`carrierOf`).
 */
export async function confineSession(connection: Connection, settings: ConnectSettings): Promise<void> {
  const { notebookDir, mounts, catalog } = settings;
  // A link among the places themselves is the server's own doing: both its names count.
  const places = [notebookDir, ...Object.values(mounts)].flatMap((place) => [place, realpathSync(place)]);
  const isFolder = (place: string) => statSync(place).isDirectory();
  const folders = places.filter(isFolder).map((place) => place.replace(/\/*$/, '/'));
  const files = places.filter((place) => !isFolder(place));
  for (const statement of [
    `SET allowed_directories = ${listed([...folders, ...((catalog ?? null) === null ? [] : REMOTE)])}`,
    `SET allowed_paths = ${listed(files)}`,
    'SET autoload_known_extensions = false',
    'SET allow_community_extensions = false',
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ]) {
    await connection.run(statement);
  }
}

/**
 * With a catalog the network is open to DuckDB, for its tables alone: nothing a statement names as a file or makes up
 * while it runs is read.
 * @throws SqlError
 */
export function refuseUnnamed({ unnameable }: Pick<Statement, 'unnameable'>): void {
  if (unnameable === null) return;
  throw new SqlError(
    `On a shared server, a connection with a catalog can read only its tables, not ${unnameable}. Use a connection without a catalog for that.`,
  );
}

function listed(texts: readonly string[]): string {
  return `[${[...new Set(texts)].map(quotedText).join(', ')}]::VARCHAR[]`;
}
