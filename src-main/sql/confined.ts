/** Confines the connections of a shared server to files of the notebook's folder. */

import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ConnectSettings } from './driver.ts';
import { SqlError } from './sqlError.ts';

/** Whether these settings are for a shared server: then its other files and its credentials are off limits. */
export function isConfined(settings: Pick<ConnectSettings, 'confined'>): boolean {
  return settings.confined === true;
}

/**
 * Refuses a file outside the notebook's folder on a shared server (docs/spec/sql.md, 3); follows links.
 * @param what the name of the setting for the message, such as `path`
 * @throws SqlError
 */
export function requireInside(settings: ConnectSettings, what: string, file: string): void {
  if (!isConfined(settings) || isWithinFolder(file, settings.notebookDir)) return;
  throw new SqlError(
    `The connection "${settings.name}" has a ${what} outside the notebook folder, which a shared server cannot read.`,
  );
}

/** Whether a file is in a folder after following links; for a missing file its nearest existing folder decides. */
export function isWithinFolder(file: string, folder: string): boolean {
  const real = realOf(resolve(folder, file));
  if (real === null) return false;
  const inside = relative(realpathSync(folder), real);
  return !/^\.\.(?:[\\/]|$)/.test(inside) && !isAbsolute(inside);
}

/** The real path; null for a dangling symlink: writing it would create its target, wherever that is. */
function realOf(path: string): string | null {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null;
  const above = dirname(path);
  const real = above === path ? above : realOf(above);
  return real === null ? null : join(real, basename(path));
}
