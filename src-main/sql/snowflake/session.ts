import type { Connection, ConnectionOptions } from 'snowflake-sdk';
import type { Access, ConnectSettings } from '../driver.ts';
import { loginOf, targetOf } from './settings.ts';
import { connectError } from './snowflakeError.ts';

const CLOSE_MS = 1_000;
/** How long a login may take: the client's default of five minutes is too long for interactive use. */
const LOGIN_SECONDS = 30;

let loaded: Promise<typeof import('snowflake-sdk')> | null = null;

/**
 * The vendor's client without its side effects: it writes no log file, does not detect the cloud of this machine, sends
 * no telemetry about settings, and does not evaluate a VARIANT as code (its default for a value that is not JSON).
 */
function loadClient(): Promise<typeof import('snowflake-sdk')> {
  loaded ??= (async () => {
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
  return loaded;
}

/** @throws SqlError naming the account, with the message of the service */
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
    return await connected(connection, signal);
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

function connected(connection: Connection, signal: AbortSignal): Promise<Connection> {
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
    const timer = setTimeout(resolve, CLOSE_MS);
    connection.destroy(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
