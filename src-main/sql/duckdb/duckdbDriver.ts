/** The DuckDB driver of SQL cells: opens a database file, or one in memory over the notebook's files. */

import { existsSync } from 'node:fs';
import { type DuckDBConnection as Connection, DuckDBInstance } from '@duckdb/node-api';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { isConfined, requireInside } from '../confined.ts';
import { pathKey, textKey } from '../connectSettings.ts';
import type { Access, ConnectSettings, Driver } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { attachCatalog } from './catalog.ts';
import { checkConfinedOptions, confineSession } from './confineSession.ts';
import { DuckdbConnection } from './duckdbConnection.ts';
import { duckdbError } from './duckdbError.ts';
import { mountView } from './mountView.ts';
import { quotedText } from './quoted.ts';

/** DuckDB: a file on this machine, or a database in memory for the notebook's files and mounts. */
export const duckdb: Driver = {
  name: 'duckdb',
  dialect: DIALECTS.duckdb,
  capabilities: { freshness: 'database', snapshots: false },
  identity: (settings) => {
    const catalog = textKey(settings, 'catalog');
    return {
      path: fileOf(settings),
      ...(catalog === null ? {} : { catalog }),
      ...(mountNames(settings).length === 0 ? {} : { mounts: mountNames(settings) }),
    };
  },
  connect: async (settings, { access }) => connect(settings, access),
};

const MEMORY = ':memory:';

function fileOf(settings: ConnectSettings): string {
  const path = textKey(settings, 'path');
  return path === null || path === MEMORY ? MEMORY : (pathKey(settings, 'path') ?? MEMORY);
}

function mountNames({ mounts }: ConnectSettings): readonly string[] {
  return Object.keys(mounts).sort();
}

async function connect(settings: ConnectSettings, access: Access): Promise<DuckdbConnection> {
  const file = fileOf(settings);
  const isMemory = file === MEMORY;
  const catalog = settings.catalog ?? null;
  const catalogName = textKey(settings, 'catalog');
  if (catalogName !== null && catalog === null) {
    throw new SqlError(
      `The connection "${settings.name}" uses the catalog "${catalogName}", which is not defined.`,
    );
  }
  if (access === 'write' && catalog !== null) {
    throw new SqlError(
      `The connection "${settings.name}" uses the catalog "${catalog.name}", which is read-only. Use a connection without a catalog to write.`,
    );
  }
  if (access === 'write' && mountNames(settings).length > 0) {
    throw new SqlError(
      `The connection "${settings.name}" uses mounts, which are read-only. Use a connection without mounts to write.`,
    );
  }
  if (!isMemory && access === 'read' && !existsSync(file)) {
    throw new SqlError(`The connection "${settings.name}" refers to a file that does not exist: ${file}.`);
  }
  if (isConfined(settings)) {
    if (!isMemory) requireInside(settings, 'path', file);
    checkConfinedOptions(settings);
  }
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(file, configOf(settings, access === 'read' && !isMemory));
  } catch (error) {
    throw duckdbError(error, null);
  }
  try {
    const connection = await instance.connect();
    await prepareSession(connection, settings);
    if (catalog !== null) {
      await attachCatalog(connection, catalog, settings.options['autoinstall_known_extensions'] === true);
    }
    if (isConfined(settings)) await confineSession(connection, settings);
    // Two safeguards against changes: the file is opened read-only, and so is the transaction.
    if (access === 'read') await connection.run('BEGIN TRANSACTION READ ONLY');
    return new DuckdbConnection({
      instance,
      connection,
      file: isMemory ? null : file,
      catalog: catalog?.name ?? null,
      isConfined: isConfined(settings),
    });
  } catch (error) {
    instance.closeSync();
    throw duckdbError(error, null);
  }
}

async function prepareSession(connection: Connection, settings: ConnectSettings): Promise<void> {
  // Paths in a statement are relative to the notebook's folder; times are the same on every machine.
  await connection.run(`SET file_search_path = ${quotedText(settings.notebookDir)}`);
  await connection.run(`SET TimeZone = ${quotedText(String(settings.options['TimeZone'] ?? 'UTC'))}`);
  for (const name of mountNames(settings)) {
    await connection.run(mountView(name, settings.mounts[name] ?? ''));
  }
}

/** The settings in `options`. Extensions are not downloaded unless the options allow it. */
function configOf({ name, options }: ConnectSettings, readOnly: boolean): Record<string, string> {
  const config: Record<string, string> = { autoinstall_known_extensions: 'false', errors_as_json: 'true' };
  for (const [key, value] of Object.entries(options)) {
    if (typeof value === 'object')
      throw new SqlError(`The option ${key} of the connection "${name}" must be a text, number or boolean.`);
    // The extension for time zones is only loaded after the database has been opened.
    if (key !== 'TimeZone') config[key] = String(value);
  }
  config['access_mode'] = readOnly ? 'READ_ONLY' : 'AUTOMATIC';
  return config;
}
