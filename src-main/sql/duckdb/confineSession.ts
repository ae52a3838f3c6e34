/** Confines a DuckDB session of a shared server to the notebook's files. */

import { realpathSync, statSync } from 'node:fs';
import type { DuckDBConnection as Connection } from '@duckdb/node-api';
import type { ConnectSettings } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import type { Statement } from '../statement.ts';
import { quotedText } from './quoted.ts';

/** The options that a notebook may set in a shared server's DuckDB: they do not affect what it can reach. */
const HARMLESS: ReadonlySet<string> = new Set([
  'TimeZone',
  'default_null_order',
  'default_order',
  'max_memory',
  'memory_limit',
  'preserve_insertion_order',
  'threads',
]);

/** Where tables of a catalog may be stored: only the catalog's metadata can name URLs (`refuseUnnamed`). */
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

/** @throws SqlError for an option that could give access to other files */
export function checkConfinedOptions({ name, options }: ConnectSettings): void {
  for (const key of Object.keys(options)) {
    if (HARMLESS.has(key)) continue;
    throw new SqlError(
      `The option ${key} of the connection "${name}" is not allowed on a shared server. Allowed: ${[...HARMLESS].join(', ')}.`,
    );
  }
}

/**
 * From here on DuckDB itself only opens files of the notebook's folder and of the connection's mounts
 * (docs/spec/sql.md, 3), does not follow links out of them, loads no extension and accepts no other settings. Relative
 * paths are resolved against the working directory of the process, which must be the notebook's folder (`carrierOf`).
 */
export async function confineSession(connection: Connection, settings: ConnectSettings): Promise<void> {
  const { notebookDir, mounts, catalog } = settings;
  // Links in these paths themselves are the server's own, so both the link and its target are allowed.
  const places = [notebookDir, ...Object.values(mounts)].flatMap((place) => [place, realpathSync(place)]);
  const isFolder = (place: string) => statSync(place).isDirectory();
  const folders = places.filter(isFolder).map((place) => place.replace(/\/*$/, '/'));
  const files = places.filter((place) => !isFolder(place));
  for (const statement of [
    `SET allowed_directories = ${listOf([...folders, ...((catalog ?? null) === null ? [] : REMOTE)])}`,
    `SET allowed_paths = ${listOf(files)}`,
    'SET autoload_known_extensions = false',
    'SET allow_community_extensions = false',
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ]) {
    await connection.run(statement);
  }
}

/**
 * With a catalog DuckDB may use the network, but only for the catalog's tables: statements that name a file or compute
 * one at run time are refused.
 * @throws SqlError
 */
export function refuseUnnamed({ unnameable }: Pick<Statement, 'unnameable'>): void {
  if (unnameable === null) return;
  throw new SqlError(
    `On a shared server, a connection with a catalog can read only its tables, not ${unnameable}. Use a connection without a catalog for that.`,
  );
}

function listOf(texts: readonly string[]): string {
  return `[${[...new Set(texts)].map(quotedText).join(', ')}]::VARCHAR[]`;
}
