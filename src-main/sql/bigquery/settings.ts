import { isConfined } from '../confined.ts';
import type { Access, ConnectSettings } from '../driver.ts';
import { optionText, readKeyFile, settingsProblem, textKey } from '../warehouseSettings.ts';

/** Where queries of a connection run, and as whom. */
export interface BigQueryTarget {
  readonly projectId: string;
  readonly datasetId: string | null;
  readonly location: string | null;
  /** Another address of the API: a private endpoint, or a stand-in. */
  readonly endpoint: string | null;
  /** At most so many bytes are billed for a query, or it fails before it runs. */
  readonly maximumBytesBilled: string | null;
  /** The content of a key file; null: the surroundings' own credentials. */
  readonly key: KeyFile | null;
  /** Who asks: the key's account, or how one is found. */
  readonly principal: string;
}

export type KeyFile = Readonly<Record<string, unknown>>;

/** @throws SqlError naming the key that is missing or wrong; nothing of a key file is in it */
export function targetOf(settings: ConnectSettings, access: Access): BigQueryTarget {
  const found = keyOf(settings, access);
  const projectId = textKey(settings, 'project_id') ?? textField(found?.key, 'project_id');
  if (projectId === null) throw settingsProblem(settings, 'needs project_id.');
  const location = optionText(settings, 'location') ?? textKey(settings, 'location');
  return {
    projectId,
    datasetId: textKey(settings, 'dataset_id'),
    location,
    endpoint: optionText(settings, 'api_endpoint'),
    maximumBytesBilled: bytesOption(settings),
    key: found?.key ?? null,
    principal: found?.principal ?? 'ambient',
  };
}

interface Found {
  readonly key: KeyFile;
  readonly principal: string;
}

/** `credentials_path` of the block or of auth, for writes `write_credentials_path` first; else `auth.credentials_json`. */
function keyOf(settings: ConnectSettings, access: Access): Found | null {
  const names = access === 'write' ? ['write_credentials_path', 'credentials_path'] : ['credentials_path'];
  for (const name of names) {
    const path = textKey(settings, name) ?? settings.auth[name] ?? null;
    if (path !== null && path !== '') return fileKey(settings, name, path);
  }
  const json =
    (access === 'write' ? settings.auth['write_credentials_json'] : undefined) ??
    settings.auth['credentials_json'];
  if (json !== undefined && json !== '') {
    // What auth holds is part of no key (notebook-file 3.6), so neither is the account it names.
    return { key: parsed(settings, json, 'auth.credentials_json'), principal: 'auth' };
  }
  if (isConfined(settings))
    throw settingsProblem(
      settings,
      'needs credentials_path, because a shared server does not share its own credentials.',
    );
  return null;
}

function fileKey(settings: ConnectSettings, name: string, path: string): Found {
  const key = parsed(settings, readKeyFile(settings, name, path), name);
  const principal =
    textField(key, 'client_email') ?? textField(key, 'client_id') ?? textField(key, 'audience');
  return { key, principal: principal ?? textField(key, 'type') ?? 'file' };
}

/** The parser's own words would quote the file, so they are left out. */
function parsed(settings: ConnectSettings, text: string, name: string): KeyFile {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as KeyFile;
  } catch {
    // Said below.
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
