/** Reads the settings of a PostgreSQL connection from its block in notebook.toml. */

import type { Access, ConnectSettings } from '../driver.ts';
import { optionText, readKeyFile, settingsProblem, textKey } from '../warehouseSettings.ts';

/** The address and login of a connection, read from its block. */
export interface PgTarget {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** From the block; null if only `auth` has it. */
  readonly user: string | null;
  readonly role: string | null;
  readonly searchPath: string | null;
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/**
 * Reads `host`, `port`, `database`, `user`, `role`, `write_role` and `search_path` of the block; its `uri` has the
 * defaults.
 * @throws SqlError that names the missing or invalid key
 */
export function targetOf(settings: ConnectSettings, access: Access): PgTarget {
  const uri = uriOf(settings);
  const key = (name: string) => textKey(settings, name);
  const user = key('user') ?? uri.user;
  const host = key('host') ?? uri.host;
  if (host === null) throw settingsProblem(settings, 'needs host.');
  const login = user ?? settings.auth['user'] ?? null;
  if (login === null) throw settingsProblem(settings, 'needs user.');
  return {
    host,
    port: portOf(settings, uri.port),
    database: key('database') ?? uri.database ?? login,
    user,
    role: (access === 'write' ? key('write_role') : null) ?? key('role'),
    searchPath: key('search_path') ?? optionText(settings, 'search_path'),
  };
}

/** `auth.user` overrides the block's user, so that credentials can include their user. */
export function loginOf(settings: ConnectSettings, target: PgTarget): { user: string; password: string } {
  return {
    user: settings.auth['user'] ?? target.user ?? '',
    password: settings.auth['password'] ?? '',
  };
}

/** The TLS mode of a connection: `options.sslmode`, else that of its `uri`, else `prefer`. @throws SqlError */
export function sslModeOf(settings: ConnectSettings): SslMode {
  const mode = optionText(settings, 'sslmode') ?? uriOf(settings).sslMode ?? 'prefer';
  const sslMode = SSL_MODES.find((one) => one === mode);
  if (sslMode === undefined)
    throw settingsProblem(settings, `has the unknown sslmode "${mode}". Use ${SSL_MODES.join(', ')}.`);
  return sslMode;
}

/** The CA certificate for checking the server's: `options.sslrootcert`, a file in the notebook's folder. */
export function rootCertificateOf(settings: ConnectSettings): string | null {
  const file = optionText(settings, 'sslrootcert');
  if (file === null) return null;
  return readKeyFile(settings, 'options.sslrootcert', file);
}

interface UriParts {
  readonly host: string | null;
  readonly port: string | null;
  readonly database: string | null;
  readonly user: string | null;
  readonly sslMode: string | null;
}

const NO_URI: UriParts = { host: null, port: null, database: null, user: null, sslMode: null };

function uriOf(settings: ConnectSettings): UriParts {
  const text = textKey(settings, 'uri');
  if (text === null) return NO_URI;
  const uri = URL.canParse(text) ? new URL(text) : null;
  if (uri === null || !/^postgres(ql)?:$/.test(uri.protocol)) {
    throw settingsProblem(settings, 'has a uri that is not like postgresql://user@host:5432/database.');
  }
  if (uri.password !== '') {
    throw settingsProblem(
      settings,
      `has a password in its uri, which is written to disk; put "\${NAME}" in auth.password.`,
    );
  }
  for (const name of uri.searchParams.keys()) {
    if (name !== 'sslmode')
      throw settingsProblem(settings, `has "${name}" in its uri, but only sslmode is supported there.`);
  }
  const part = (value: string) => (value === '' ? null : decodeURIComponent(value));
  return {
    host: part(uri.hostname.replace(/^\[|\]$/g, '')),
    port: part(uri.port),
    database: part(uri.pathname.slice(1)),
    user: part(uri.username),
    sslMode: uri.searchParams.get('sslmode'),
  };
}

function portOf(settings: ConnectSettings, fromUri: string | null): number {
  const value = settings.keys['port'] ?? fromUri ?? 5_432;
  const port = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value;
  if (typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw settingsProblem(settings, 'has an invalid port. Use a number from 1 to 65535.');
}
