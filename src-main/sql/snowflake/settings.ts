/** Reads the settings of a Snowflake connection from its block in notebook.toml. */

import type { Access, ConnectSettings } from '../driver.ts';
import { secretPlaceText } from '../secretPlaceText.ts';
import { authText, optionText, readKeyFile, settingsProblem, textKey } from '../warehouseSettings.ts';

/** The account, role and defaults of a connection, read from its block. */
export interface SnowflakeTarget {
  readonly account: string;
  /** From the block; null if only `auth` has it. */
  readonly user: string | null;
  readonly role: string | null;
  readonly warehouse: string | null;
  readonly database: string | null;
  readonly schema: string | null;
  /** A URL other than the account's default: a private link, or a test server. */
  readonly accessUrl: string | null;
}

/** The credentials, as options of the client. */
type SnowflakeLogin = Readonly<Record<string, string>>;

/** @throws SqlError that names the missing or invalid key */
export function targetOf(settings: ConnectSettings, access: Access): SnowflakeTarget {
  const key = (name: string) => textKey(settings, name);
  const account = key('account');
  if (account === null) throw settingsProblem(settings, 'needs account.');
  const user = key('user');
  if (user === null && authText(settings, 'user') === null) throw settingsProblem(settings, 'needs user.');
  return {
    account,
    user,
    role: (access === 'write' ? key('write_role') : null) ?? key('role'),
    warehouse: key('warehouse'),
    database: key('database'),
    schema: key('schema'),
    accessUrl: accessUrlOf(settings),
  };
}

/** `auth.private_key` (or a file `private_key_path`), `auth.token`, else `auth.password`. */
export function loginOf(settings: ConnectSettings, target: SnowflakeTarget): SnowflakeLogin {
  const username = authText(settings, 'user') ?? target.user ?? '';
  const key = privateKeyOf(settings);
  if (key !== null) {
    const pass = authText(settings, 'private_key_passphrase');
    const passOption: Record<string, string> = pass === null ? {} : { privateKeyPass: pass };
    return { username, authenticator: 'SNOWFLAKE_JWT', privateKey: key, ...passOption };
  }
  const token = authText(settings, 'token');
  if (token !== null) return { username, authenticator: tokenKind(settings), token };
  const password = authText(settings, 'password');
  if (password !== null) return { username, authenticator: 'SNOWFLAKE', password };
  throw settingsProblem(
    settings,
    `needs password, private_key or token in auth. ${secretPlaceText('password', 'SNOWFLAKE_PASSWORD')}`,
  );
}

function privateKeyOf(settings: ConnectSettings): string | null {
  const text = authText(settings, 'private_key');
  // Environment variables often contain the key on one line.
  if (text !== null) return text.replaceAll('\\n', '\n');
  const path = textKey(settings, 'private_key_path') ?? authText(settings, 'private_key_path');
  return path === null ? null : readKeyFile(settings, 'private_key_path', path);
}

/** The kind of `auth.token`: a programmatic access token unless `options.authenticator` is oauth. */
function tokenKind(settings: ConnectSettings): string {
  const kind = (optionText(settings, 'authenticator') ?? 'programmatic_access_token').toUpperCase();
  if (kind === 'OAUTH' || kind === 'PROGRAMMATIC_ACCESS_TOKEN') return kind;
  throw settingsProblem(
    settings,
    'has an options.authenticator that is not oauth or programmatic_access_token.',
  );
}

function accessUrlOf(settings: ConnectSettings): string | null {
  const text = optionText(settings, 'access_url');
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url.origin;
  throw settingsProblem(settings, 'has an options.access_url that is not like https://host.');
}
