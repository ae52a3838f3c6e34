/** Reads the settings of a BigQuery connection from its block in notebook.toml. */

import { isConfined } from '../confined.ts';
import type { Access, ConnectSettings } from '../driver.ts';
import { optionText, readKeyFile, settingsProblem, textKey } from '../warehouseSettings.ts';

/** Where the queries of a connection run, and with which account. */
export interface BigQueryTarget {
  readonly projectId: string;
  readonly datasetId: string | null;
  readonly location: string | null;
  /** Another URL of the API: a private endpoint, or a fake server. */
  readonly endpoint: string | null;
  /** A query that would bill more bytes than this fails before it runs. */
  readonly maximumBytesBilled: string | null;
  /** The content of a key file; null: the credentials of the server's environment. */
  readonly key: KeyFile | null;
  /** The account of the key, or how it is found. */
  readonly principal: string;
}

export type KeyFile = Readonly<Record<string, unknown>>;

/** @throws SqlError that names the missing or invalid key; never with anything of a key file */
export function targetOf(settings: ConnectSettings, access: Access): BigQueryTarget {
  const credentials = keyOf(settings, access);
  const projectId = textKey(settings, 'project_id') ?? textField(credentials?.key, 'project_id');
  if (projectId === null) throw settingsProblem(settings, 'needs project_id.');
  const location = optionText(settings, 'location') ?? textKey(settings, 'location');
  return {
    projectId,
    datasetId: textKey(settings, 'dataset_id'),
    location,
    endpoint: optionText(settings, 'api_endpoint'),
    maximumBytesBilled: bytesOption(settings),
    key: credentials?.key ?? null,
    principal: credentials?.principal ?? 'ambient',
  };
}

interface Credentials {
  readonly key: KeyFile;
  readonly principal: string;
}

/**
 * `credentials_path` of the block or of auth, for writes `write_credentials_path` first; else `auth.credentials_json`.
 */
function keyOf(settings: ConnectSettings, access: Access): Credentials | null {
  const names = access === 'write' ? ['write_credentials_path', 'credentials_path'] : ['credentials_path'];
  for (const name of names) {
    const path = textKey(settings, name) ?? settings.auth[name] ?? null;
    if (path !== null && path !== '') return fileKey(settings, name, path);
  }
  const json =
    (access === 'write' ? settings.auth['write_credentials_json'] : undefined) ??
    settings.auth['credentials_json'];
  if (json !== undefined && json !== '') {
    // The content of auth is not part of any key (docs/spec/notebook-file.md, 3.6), so neither is the account in it.
    return { key: parseKey(settings, json, 'auth.credentials_json'), principal: 'auth' };
  }
  if (isConfined(settings))
    throw settingsProblem(
      settings,
      'needs credentials_path, because a shared server does not share its own credentials.',
    );
  return null;
}

function fileKey(settings: ConnectSettings, name: string, path: string): Credentials {
  const key = parseKey(settings, readKeyFile(settings, name, path), name);
  const principal =
    textField(key, 'client_email') ?? textField(key, 'client_id') ?? textField(key, 'audience');
  return { key, principal: principal ?? textField(key, 'type') ?? 'file' };
}

/** The parser's own message would quote the file, so it is left out. */
function parseKey(settings: ConnectSettings, text: string, name: string): KeyFile {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as KeyFile;
  } catch {
    // Reported below.
  }
  throw settingsProblem(settings, `has a ${name} that is not a JSON key of Google Cloud.`);
}

function bytesOption(settings: ConnectSettings): string | null {
  const value = settings.options['maximum_bytes_billed'];
  if (value === undefined || value === null) return null;
  if (/^[1-9]\d*$/.test(String(value))) return String(value);
  throw settingsProblem(settings, 'has an options.maximum_bytes_billed that is not a whole number above 0.');
}

function textField(key: KeyFile | undefined, name: string): string | null {
  const value = key?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
