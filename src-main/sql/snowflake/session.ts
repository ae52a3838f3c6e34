/** Loads the vendor's Snowflake client, and opens and closes sessions. */

import type { Connection, ConnectionOptions } from 'snowflake-sdk';
import type { Access, ConnectSettings } from '../driver.ts';
import { loginOf, targetOf } from './settings.ts';
import { connectError } from './snowflakeError.ts';

const CLOSE_MS = 1_000;
/** Seconds to retry a login; the client's default of five minutes is too long for interactive use. */
const LOGIN_SECONDS = 30;

let client: Promise<typeof import('snowflake-sdk')> | null = null;

/**
 * Loads the vendor's client without its side activities: it writes no log file, does not detect the machine's cloud,
 * and sends no telemetry about settings. It also does not evaluate VARIANT values that are not JSON as code, as it
 * would by default.
 */
function loadClient(): Promise<typeof import('snowflake-sdk')> {
  client ??= (async () => {
    process.env['SNOWFLAKE_DISABLE_MINICORE'] = 'true';
    process.env['SNOWFLAKE_DISABLE_PLATFORM_DETECTION'] = 'true';
    process.env['SF_TELEMETRY_DISABLE_CONNECTION_SHAPE'] = 'true';
    const { default: snowflake } = await import('snowflake-sdk');
    const quiet = () => {};
    const customLogger = { error: quiet, warn: quiet, info: quiet, debug: quiet, trace: quiet };
    snowflake.configure({
      logLevel: 'OFF',
      customLogger,
      jsonColumnVariantParser: (raw: string) => raw,
    } as never);
    return snowflake;
  })();
  return client;
}

/** @throws SqlError with the account and Snowflake's message */
export async function openSession(
  settings: ConnectSettings,
  access: Access,
  signal: AbortSignal,
): Promise<Connection> {
  const target = targetOf(settings, access);
  const login = loginOf(settings, target);
  const snowflake = await loadClient();
  signal.throwIfAborted();
  try {
    const options = {
      account: target.account,
      ...present({ ...target, accessUrl: target.accessUrl, user: null, account: null }),
      ...login,
      application: 'Cellar',
      representNullAsStringNull: false,
      jsTreatIntegerAsBigInt: true,
      validateDefaultParameters: true,
      sfRetryMaxLoginRetries: 2,
      retryTimeout: LOGIN_SECONDS,
    };
    const connection = snowflake.createConnection(options as unknown as ConnectionOptions);
    return await connect(connection, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw connectError(error, { name: settings.name, account: target.account });
  }
}

function present(values: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

function connect(connection: Connection, signal: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    connection.connect((error) => {
      if (error) reject(error);
      else resolve(connection);
    });
  });
}

/** Ends the session at the service; resolves when it has ended, or after a second. Never throws. */
export function closeSession(connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, CLOSE_MS);
    connection.destroy(() => {
      clearTimeout(late);
      resolve();
    });
  });
}
