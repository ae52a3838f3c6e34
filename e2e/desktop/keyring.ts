/** Starts a D-Bus session and a GNOME keyring for a test, if the machine has the programs for them. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const missing = ['dbus-daemon', 'gnome-keyring-daemon'].filter(
  (name) => spawnSync('which', [name]).status !== 0,
);
/** Why a keyring cannot be started on this machine; null if it can. */
export const whyNoKeyring: string | null =
  process.platform !== 'linux'
    ? 'the keyring of these tests is GNOME’s'
    : missing.length === 0
      ? null
      : `there is no ${missing.join(' and no ')} here (apt: dbus, gnome-keyring)`;

/** A session bus with an unlocked GNOME keyring, for one test. */
export interface Keyring {
  /** Environment variables that lead an app to the keyring. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** @param home the folder in which the keyring stores secrets */
export async function openKeyring(home: string): Promise<Keyring> {
  const runtime = join(home, 'run');
  await mkdir(runtime, { mode: 0o700 });
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: runtime },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const address = await new Promise<string>((resolve, reject) => {
    bus.once('exit', () => reject(new Error('dbus-daemon ended')));
    createInterface(bus.stdout).once('line', resolve);
  });
  const env = {
    DBUS_SESSION_BUS_ADDRESS: address,
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: join(home, '.local/share'),
  };
  const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env: { ...process.env, ...env, HOME: home },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keyring.stdin.end('the password of a test');
  // The keyring prints nothing when it is ready, but then it answers on the bus.
  while (!isOpen(env)) {
    if (keyring.exitCode !== null) throw new Error(`gnome-keyring-daemon ended (${keyring.exitCode})`);
    await wait(50);
  }
  return {
    env,
    async close() {
      await endProcess(keyring);
      await endProcess(bus);
    },
  };
}

/** Whether the keyring provides the secret service. Asks the bus, because a call of the service would start another. */
function isOpen(env: Readonly<Record<string, string>>): boolean {
  const call = spawnSync(
    'dbus-send',
    [
      ...['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'],
      ...['org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'],
    ],
    { env: { ...process.env, ...env }, encoding: 'utf8' },
  );
  return call.stdout.includes('boolean true');
}

function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
