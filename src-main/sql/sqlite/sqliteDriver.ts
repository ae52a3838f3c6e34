/** The SQLite driver of SQL cells: finds the file of a connection and opens it. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { DIALECTS } from '../../../src-shared/sql/dialect.ts';
import { isConfined, requireInside } from '../confined.ts';
import { pathKey, textKey } from '../connectSettings.ts';
import type { Access, ConnectSettings, Driver } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { sqliteError } from './sqliteBinds.ts';
import { SqliteConnection } from './sqliteConnection.ts';

/** Local SQLite files, by `path` or a `file:` uri. Runs in the SQL thread, because every call blocks. */
export const sqlite: Driver = {
  name: 'sqlite',
  dialect: DIALECTS.sqlite,
  capabilities: { freshness: 'database', snapshots: false },
  identity: (settings) => {
    const { file, parameters } = fileOf(settings);
    return parameters === '' ? { path: file } : { path: file, parameters };
  },
  connect: async (settings, { access }) => connect(settings, access),
};

interface DatabaseFile {
  /** Absolute, or `:memory:`. */
  readonly file: string;
  /** The sorted parameters of a uri, without those for how the file is opened (docs/spec/sql.md, 3, identity). */
  readonly parameters: string;
}

const OPEN_PARAMETERS = new Set(['mode', 'immutable', 'cache']);

function fileOf(settings: ConnectSettings): DatabaseFile {
  const uri = textKey(settings, 'uri');
  if (uri !== null) return fileOfUri(settings, uri);
  if (textKey(settings, 'path') === ':memory:') return { file: ':memory:', parameters: '' };
  const file = pathKey(settings, 'path');
  if (file === null) throw new SqlError(`The connection "${settings.name}" needs path, the database's file.`);
  return { file, parameters: '' };
}

function fileOfUri(settings: ConnectSettings, uri: string): DatabaseFile {
  const bare = /^(?:sqlite:\/\/\/|file:)(?!\/\/)([^?]*)(?:\?(.*))?$/.exec(uri);
  const [path, query] =
    bare === null ? [uri.replace(/\?.*$/, ''), /\?(.*)$/.exec(uri)?.[1]] : [bare[1], bare[2]];
  const parameters = [...new URLSearchParams(query ?? '')]
    .filter(([key]) => !OPEN_PARAMETERS.has(key))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('&');
  if (bare === null && !uri.startsWith('file://')) {
    throw new SqlError(
      `The connection "${settings.name}" has an invalid SQLite uri. Write file:data.db, or use path.`,
    );
  }
  const file = bare === null ? fileURLToPath(path ?? '') : (path ?? '');
  return {
    file: pathKey({ ...settings, keys: { path: decodeURIComponent(file) } }, 'path') ?? '',
    parameters,
  };
}

function connect(settings: ConnectSettings, access: Access): SqliteConnection {
  const { file } = fileOf(settings);
  const isMemory = file === ':memory:';
  if (isConfined(settings) && textKey(settings, 'uri') !== null) {
    throw new SqlError(
      `The connection "${settings.name}" has a uri, which is not allowed on a shared server. Use path instead.`,
    );
  }
  if (!isMemory) requireInside(settings, 'path', file);
  if (!isMemory && access === 'read' && !existsSync(file)) {
    throw new SqlError(`The connection "${settings.name}" refers to a file that does not exist: ${file}.`);
  }
  if (!isMemory && existsSync(file) && statSync(file).isDirectory()) {
    throw new SqlError(`The connection "${settings.name}" refers to a folder, not a file: ${file}.`);
  }
  try {
    if (!isMemory && access === 'read') rollBackJournal(file, busyMs(settings));
    const database = new Database(file, {
      readonly: access === 'read' && !isMemory,
      timeout: busyMs(settings),
    });
    if (access === 'read') database.pragma('query_only = 1');
    return new SqliteConnection(database, isMemory ? null : file, isConfined(settings));
  } catch (error) {
    throw sqliteError(error, `The connection "${settings.name}" cannot open ${file}`);
  }
}

/**
 * A program that ended during a write leaves a journal, which the next connection must roll back; a read-only one
 * cannot and would fail. SQLite itself does not touch a journal whose writer still runs.
 */
function rollBackJournal(file: string, timeout: number): void {
  const journal = statSync(`${file}-journal`, { throwIfNoEntry: false });
  if (journal === undefined || journal.size === 0 || !isWritable(file)) return;
  const database = new Database(file, { fileMustExist: true, timeout });
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    database.close();
  }
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

const DEFAULT_BUSY_MS = 5_000;

/** `options.timeout`, in seconds: how long to wait for a lock of another program. */
function busyMs({ options }: ConnectSettings): number {
  const seconds = options['timeout'];
  return typeof seconds === 'number' && seconds >= 0 && seconds <= 3600 ? seconds * 1000 : DEFAULT_BUSY_MS;
}
