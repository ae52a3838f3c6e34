/** Starts a real PostgreSQL server on a free local port, for tests. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../lib/testing/freePort.ts';

/** A real PostgreSQL server on a free local port, with an empty database in a temporary folder. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const run = promisify(execFile);
/** The user of Debian's package, needed because PostgreSQL refuses to run as root. */
const SYSTEM_USER = 'postgres';
const USER = 'tester';
const PASSWORD = "t'est \\word";

/**
 * The folder with `initdb` and `postgres`: `CELLAR_TEST_POSTGRES`, else the newest version installed by Debian.
 * @returns null if this machine has none
 */
export function findPostgres(): string | null {
  const setting = process.env['CELLAR_TEST_POSTGRES'];
  if (setting !== undefined && setting !== '') return setting;
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).filter((version) => existsSync(join(root, version, 'bin', 'initdb')));
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(root, newest, 'bin');
}

/** @param bin see `findPostgres` */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'cellar-pg-'));
  const owner = await ownerOf(folder);
  const secret = join(folder, 'secret');
  await writeFile(secret, PASSWORD);
  if (owner !== null) await chown(secret, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', USER, '-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8'];
  await run(join(bin, 'initdb'), [...init, '--locale=C.UTF-8', '--no-sync', '--no-instructions'], {
    cwd: folder,
    ...owner,
  });
  const port = await freePort();
  const settings = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', 'timezone=UTC'];
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...owner },
  );
  await ready(child).catch(async (error: unknown) => {
    await stop(child, folder);
    throw error;
  });
  return {
    host: '127.0.0.1',
    port,
    user: USER,
    password: PASSWORD,
    pid: child.pid ?? -1,
    stop: () => stop(child, folder),
  };
}

/** The user that runs the server: null for the tests' user, or the package's user if that is root. */
async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, SYSTEM_USER])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error(`the user ${SYSTEM_USER} does not exist`);
  await chown(folder, uid, gid);
  await chmod(folder, 0o700);
  return { uid, gid };
}

/** Resolves when the server accepts connections; the error contains its output. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      // Later lines are read but dropped, so that they do not fill the pipe.
      if (output.length < 65_536) output += text;
      if (output.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended (${code}): ${output}`)));
  });
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = new Promise((resolve) => child.once('exit', resolve));
    // "Immediate shutdown", because the database is deleted anyway.
    child.kill('SIGQUIT');
    await exit;
  }
  await rm(folder, { recursive: true, force: true });
}
