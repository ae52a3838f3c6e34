/** Opens sessions of PostgreSQL, with TLS, role and read-only mode as the connection's settings say. */

import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client } from 'pg';
import type { Access, ConnectSettings } from '../driver.ts';
import { SqlError } from '../sqlError.ts';
import { cancelRepeatedly } from './cancel.ts';
import { connectError, pgError } from './pgError.ts';
import { loginOf, type PgTarget, rootCertificateOf, type SslMode, sslModeOf, targetOf } from './settings.ts';

/** A session at the server, with a way to cancel its statement. */
export interface PgSession {
  readonly client: Client;
  /**
   * Begins a transaction and sets everything that reading relies on in it: output styles, search_path, role. They are
   * set at the start of the session too, unless a pooler in between refuses that.
   */
  readonly begin: (mode: 'READ ONLY' | 'READ WRITE') => Promise<unknown>;
  /** Cancels the running statement and closes the connection; the session cannot be used again. Never throws. */
  abandon(): void;
  close(): Promise<void>;
}

const CONNECT_MS = 15_000;
const CLOSE_MS = 1_000;
/**
 * The output styles that the value readers rely on. In addition, a setting makes the server refuse changes by a read
 * connection; each statement also runs in a read-only transaction, which no setting can override.
 */
const STYLES = ['datestyle=ISO', 'intervalstyle=postgres', 'bytea_output=hex', 'extra_float_digits=1'];

/** @throws SqlError with the address and what to fix */
export async function openSession(
  settings: ConnectSettings,
  access: Access,
  signal: AbortSignal,
): Promise<PgSession> {
  const target = targetOf(settings, access);
  const mode = sslModeOf(settings);
  const attempt = { settings, target, access, signal };
  const ssl = sslOf(settings, target, mode);
  try {
    return await openWithOptions(attempt, ssl);
  } catch (error) {
    if (mode !== 'prefer' || !/does not support SSL/.test(String(error))) return refuse(error, attempt);
    return await openWithOptions(attempt, false).catch((plainError: unknown) => refuse(plainError, attempt));
  }
}

interface Attempt {
  readonly settings: ConnectSettings;
  readonly target: PgTarget;
  readonly access: Access;
  readonly signal: AbortSignal;
}

function refuse(error: unknown, { settings, target, signal }: Attempt): never {
  signal.throwIfAborted();
  if (error instanceof SqlError) throw error;
  const place = target.host.startsWith('/') ? target.host : `${target.host}:${target.port}`;
  throw connectError(error, { name: settings.name, place });
}

/**
 * Opens a session with settings in its startup parameters, or without them if a pooler such as PgBouncer refuses them.
 */
async function openWithOptions(attempt: Attempt, ssl: ConnectionOptions | false): Promise<PgSession> {
  const options = startOptions(attempt.target, attempt.access);
  try {
    return await open(attempt, { ssl, options });
  } catch (error) {
    if (!/startup parameter/.test(String(error))) throw error;
    return open(attempt, { ssl, options: undefined });
  }
}

async function open(
  { settings, target, signal }: Attempt,
  { ssl, options }: { ssl: ConnectionOptions | false; options: string | undefined },
): Promise<PgSession> {
  signal.throwIfAborted();
  const { user, password } = loginOf(settings, target);
  const client = new Client({
    host: target.host,
    port: target.port,
    database: target.database,
    user,
    // A function, because for an empty string pg would use the server's own PGPASSWORD and .pgpass.
    password: () => password,
    ssl,
    application_name: 'cellar',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(options === undefined ? {} : { options }),
  });
  // The next statement reports a connection that broke between two statements.
  client.on('error', () => {});
  const drop = () => client.connection.stream.destroy();
  signal.addEventListener('abort', drop, { once: true });
  try {
    await client.connect();
    if (target.role !== null) await tryRole(client, target.role);
  } catch (error) {
    drop();
    throw error;
  } finally {
    signal.removeEventListener('abort', drop);
  }
  return sessionOf(client, target, ssl !== false);
}

function sessionOf(client: Client, target: PgTarget, tls: boolean): PgSession {
  let closing: Promise<void> | null = null;
  const locals = localSettings(client, target);
  return {
    client,
    begin: (mode) => client.query(`BEGIN TRANSACTION ${mode}; ${locals}`),
    abandon() {
      const keys = client as unknown as { processID: number; secretKey: number }; // not in pg's types
      cancelRepeatedly({ ...target, tls, processId: keys.processID, secretKey: keys.secretKey });
      client.connection.stream.destroy();
    },
    close() {
      closing ??= closeClient(client);
      return closing;
    },
  };
}

async function closeClient(client: Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), CLOSE_MS);
  // The connection is closed afterwards even if this fails.
  await client.end().catch(() => {});
  clearTimeout(late);
}

/** Checks that the role can be used. Each transaction sets it again, because a pooler may share the session. */
async function tryRole(client: Client, role: string): Promise<void> {
  try {
    await client.query(`BEGIN; SET LOCAL ROLE ${client.escapeIdentifier(role)}; ROLLBACK`);
  } catch (error) {
    throw new SqlError(`Couldn’t switch to the role "${role}": ${pgError(error).message}.`, { cause: error });
  }
}

function localSettings(client: Client, { role, searchPath }: PgTarget): string {
  const set = (name: string, value: string) =>
    `SELECT set_config(${client.escapeLiteral(name)}, ${client.escapeLiteral(value)}, true);`;
  const styles = STYLES.map((style) => style.split('=') as [string, string]); // each contains one `=`
  return [
    ...styles.map(([name, value]) => set(name, value)),
    ...(searchPath === null ? [] : [set('search_path', searchPath)]),
    ...(role === null ? [] : [`SET LOCAL ROLE ${client.escapeIdentifier(role)};`]),
  ].join(' ');
}

/** The startup parameter `options`. Spaces and backslashes are escaped, because the server splits it at spaces. */
function startOptions({ searchPath }: PgTarget, access: Access): string {
  const settings = [
    ...STYLES,
    ...(access === 'read' ? ['default_transaction_read_only=on'] : []),
    ...(searchPath === null ? [] : [`search_path=${searchPath}`]),
  ];
  return settings.map((setting) => `-c ${setting.replace(/[\\\s]/g, '\\$&')}`).join(' ');
}

function sslOf(settings: ConnectSettings, target: PgTarget, mode: SslMode): ConnectionOptions | false {
  // A Unix socket has no TLS.
  if (mode === 'disable' || target.host.startsWith('/')) return false;
  const ca = rootCertificateOf(settings);
  const host = isIP(target.host) === 0 ? { servername: target.host } : {};
  const base = { ...host, ...(ca === null ? {} : { ca }) };
  if (mode === 'verify-full') return base;
  if (mode === 'verify-ca') return { ...base, checkServerIdentity: () => undefined };
  return { ...base, rejectUnauthorized: false };
}
