/** Reads texts and key files from the settings of PostgreSQL, Snowflake and BigQuery connections. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { requireInside } from './confined.ts';
import type { ConnectSettings } from './driver.ts';
import { SqlError } from './sqlError.ts';

/** A text of the block itself; null when it is missing. @throws SqlError for anything but text */
export function textKey(settings: ConnectSettings, name: string): string | null {
  return textOf(settings, name, own(settings.keys, name));
}

/** A text under `options`. */
export function optionText(settings: ConnectSettings, name: string): string | null {
  return textOf(settings, `options.${name}`, own(settings.options, name));
}

/** A resolved text under `auth`. */
export function authText(settings: ConnectSettings, name: string): string | null {
  const value = own(settings.auth, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The error for a wrong setting of a connection. @param what completes the message */
export function settingsProblem(settings: ConnectSettings, what: string): SqlError {
  return new SqlError(`The connection "${settings.name}" ${what}`);
}

/**
 * Reads a file of the connection: relative to the notebook's folder, and inside it on a shared server.
 * @param name the key that names it, for errors, which never have anything of its content
 */
export function readKeyFile(settings: ConnectSettings, name: string, path: string): string {
  const file = resolve(settings.notebookDir, path);
  requireInside(settings, name, file);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SqlError(`The connection "${settings.name}" has a ${name} that cannot be read.`, { cause });
  }
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function textOf(settings: ConnectSettings, name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value;
  throw settingsProblem(settings, `has a ${name} that is not text.`);
}
