import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ConnectSettings } from './driver.ts';
import { SqlError } from './sqlError.ts';

/** Whether a server for several people reads these settings: it lends no files and no credentials of its own. */
export function isConfined(settings: Pick<ConnectSettings, 'confined'>): boolean {
  return settings.confined === true;
}

/**
 * Refuses a file outside the notebook's folder on a shared server (sql), links followed.
 * @param what names it in the words, such as `path`
 * @throws SqlError
 */
export function keepInside(settings: ConnectSettings, what: string, file: string): void {
  if (!isConfined(settings) || liesWithin(file, settings.notebookDir)) return;
  throw new SqlError(
    `The connection "${settings.name}" has a ${what} outside the notebook folder, which a shared server cannot read.`,
  );
}

/** Whether a file lies in a folder, wherever links lead; of one that is not there yet, its nearest folder speaks. */
export function liesWithin(file: string, folder: string): boolean {
  const real = realOf(resolve(folder, file));
  if (real === null) return false;
  const inside = relative(realpathSync(folder), real);
  return !/^\.\.(?:[\\/]|$)/.test(inside) && !isAbsolute(inside);
}

/** Null for a link to what is not there: it would come to be wherever the link says. */
function realOf(path: string): string | null {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null;
  const above = dirname(path);
  const real = above === path ? above : realOf(above);
  return real === null ? null : join(real, basename(path));
}
