/** The keys in notebook.toml that this version does not know, which edits must keep. */

import { isTable, type TomlValue, writableValue } from '../toml/tomlValue.ts';

/** The keys of a mount that Cellar reads (docs/spec/notebook-file.md, 3). */
export const MOUNT_KEYS: ReadonlySet<string> = new Set([
  'name',
  'uri',
  'mode',
  'pin',
  'options',
  'credential',
]);

/** The keys of a connection that Cellar reads, for all drivers (docs/spec/notebook-file.md, 3). */
export const CONNECTION_KEYS: ReadonlySet<string> = new Set([
  'account',
  'auth',
  'catalog',
  'credential',
  'credentials_path',
  'database',
  'dataset_id',
  'driver',
  'host',
  'mounts',
  'options',
  'path',
  'port',
  'project_id',
  'role',
  'schema',
  'search_path',
  'uri',
  'user',
  'warehouse',
  'write_credentials_path',
  'write_role',
]);

/**
 * The keys of a table in the file that Cellar does not know: newer versions or other programs wrote them, and an edit
 * of other keys keeps them (docs/spec/notebook-file.md, 3).
 */
export function unknownKeysOf(
  table: unknown,
  knownKeys: ReadonlySet<string>,
): Readonly<Record<string, TomlValue>> {
  if (!isTable(table)) return {};
  const unknown = Object.entries(table).filter(([key]) => !knownKeys.has(key));
  return Object.fromEntries(unknown.map(([key, value]) => [key, writableValue(value)]));
}
