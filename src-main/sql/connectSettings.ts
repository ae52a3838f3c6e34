/** Reads texts and paths from the settings of a SQL connection. */

import { isAbsolute, resolve } from 'node:path';
import type { ConnectSettings } from './driver.ts';
import { SqlError } from './sqlError.ts';

/** A text of the connection's block; null when it is missing. @throws SqlError for anything but text */
export function textKey({ name, keys }: ConnectSettings, key: string): string | null {
  const value = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new SqlError(`The connection "${name}" needs text for ${key}.`);
  return value;
}

/** A path of the connection as an absolute path; it is relative to the notebook's folder. */
export function pathKey(settings: ConnectSettings, key: string): string | null {
  const path = textKey(settings, key);
  if (path === null) return null;
  return isAbsolute(path) ? path : resolve(settings.notebookDir, path);
}
