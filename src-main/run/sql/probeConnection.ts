/** Connects to a database outside of any run, to test the connection or list its tables for the window. */

import { resolve } from 'node:path';
import { placeOf } from '../../../src-shared/notebook/mountUri.ts';
import type { Mount } from '../../../src-shared/wire/cell.ts';
import type { Connection } from '../../notebook/file/connectionBlocks.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { SchemaTable } from '../../sql/driver.ts';
import { SqlError } from '../../sql/sqlError.ts';
import { SqlAborted } from '../../sql/sqlThreads.ts';
import { knownCatalogs, type ResolvedConnection, resolveConnection } from './resolveConnection.ts';
import type { SqlStepOptions } from './sqlStepOptions.ts';
import type { Catalogs } from './sqlUse.ts';

/** A connection of a notebook, and what its settings refer to. */
export interface ConnectionSettings {
  readonly connection: Connection;
  readonly notebookDir: NotebookFolder;
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly catalogs: Catalogs;
}

/** The settings of a connection that is used outside of any run. */
export async function resolveProbeSettings(
  { credentials, confined = false, ...options }: SqlStepOptions,
  { connection, notebookDir, ...look }: ConnectionSettings,
): Promise<ResolvedConnection> {
  return resolveConnection(
    connection,
    { ...credentials, byScheme: null, notebookEnv: () => look.env },
    {
      notebookDir,
      mounts: localMounts(connection, { mounts: look.mounts, notebookDir }),
      catalogs: await knownCatalogs(options, look.catalogs),
      confined,
    },
  );
}

/** Connects outside of any run and returns the tables (none for a test), or why that failed. */
export async function probeConnection(
  options: SqlStepOptions,
  look: ConnectionSettings & { readonly what: 'schema' | 'test'; readonly signal: AbortSignal },
): Promise<{ readonly tables: readonly SchemaTable[] } | { readonly problem: string }> {
  const { signal } = look;
  const resolved = await resolveProbeSettings(options, look);
  if ('problem' in resolved) return resolved;
  const { settings } = resolved;
  try {
    const asker = await options.threads.begin(settings, { access: 'read', signal });
    try {
      await asker.ask({ kind: 'connect', settings, access: 'read' });
      return { tables: look.what === 'test' ? [] : await asker.ask({ kind: 'schema' }) };
    } finally {
      await asker.close();
    }
  } catch (error) {
    if (error instanceof SqlAborted) return { problem: 'The database did not respond in time.' };
    if (!(error instanceof SqlError)) throw error;
    return { problem: error.hint === null ? error.message : `${error.message} (${error.hint})` };
  }
}

/** The local mounts among those a duckdb connection shows: others exist only while a cell runs. */
function localMounts(
  connection: Connection,
  { mounts, notebookDir }: { readonly mounts: readonly Mount[]; readonly notebookDir: NotebookFolder },
): Readonly<Record<string, string>> {
  const names = connection['mounts'];
  if (connection.driver !== 'duckdb' || !Array.isArray(names)) return {};
  return Object.fromEntries(
    mounts.flatMap(({ name, uri }): [string, string][] => {
      const place = names.includes(name) ? placeOf(uri) : null;
      return place?.kind === 'local' ? [[name, resolve(notebookDir, place.path)]] : [];
    }),
  );
}
