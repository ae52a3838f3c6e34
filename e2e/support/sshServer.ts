/** A real sshd on loopback for tests, with its own keys, home directory and client configuration. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../src-main/lib/testing/freePort.ts';

const SSHD = '/usr/sbin/sshd';
/** sshd's folder for privilege separation, normally made by the system's service, which tests do not start. */
const SSHD_FOLDER = '/run/sshd';

/** Why the tests of ssh cannot run on this machine; null if they can. */
export const whyNoSshd: string | null = existsSync(SSHD)
  ? null
  : `there is no ${SSHD} (openssh-server), and it could not be installed`;

export interface SshServer {
  readonly port: number;
  /** The home directory of a login. */
  readonly home: string;
  /** A host in the configuration of `ssh`, with a valid key and host key. */
  readonly target: string;
  /** The folder of an `ssh` program with that configuration, for PATH. */
  readonly bin: string;
  /** Ends every connection, like a broken network; sshd continues. */
  dropAll(): void;
  /** Stops sshd; `start` starts it again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

export interface SshServerOptions {
  /** The PATH of a login, in addition to the tools that sh needs. */
  readonly path?: readonly string[];
  /** Whether keys are accepted; by default true. */
  readonly takesKeys?: boolean;
  /** Whether the host's key is in known_hosts; by default true. */
  readonly known?: boolean;
  /** Additional lines of sshd_config. */
  readonly settings?: readonly string[];
}

/** @throws Error if there is no sshd */
export async function startSshServer(options: SshServerOptions = {}): Promise<SshServer> {
  const dir = await mkdtemp(join(tmpdir(), 'cellar-ssh-'));
  const at = (name: string): string => join(dir, name);
  if (userInfo().uid === 0) await mkdir(SSHD_FOLDER, { recursive: true, mode: 0o755 });
  for (const key of ['host', 'person', 'stranger']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', key, '-f', at(key)]);
  }
  for (const name of ['home', 'bin', 'tools']) await mkdir(at(name));
  for (const tool of ['sh', 'uname'])
    await symlink(execFileSync('which', [tool]).toString().trim(), at(`tools/${tool}`));
  const port = await freePort();
  const own = await readFile(at(options.takesKeys === false ? 'stranger.pub' : 'person.pub'), 'utf8');
  await writeFile(at('authorized'), own, { mode: 0o600 });
  const path = [...(options.path ?? [dirname(process.execPath), '/usr/bin', '/bin']), at('tools')];
  await writeFile(
    at('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at('host')}`,
      `AuthorizedKeysFile ${at('authorized')}`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      // The worker's commands load a large program, which Node compiles once.
      `SetEnv HOME=${at('home')} PATH=${path.join(delimiter)} NODE_COMPILE_CACHE=${at('compiled')}`,
      ...(options.settings ?? []),
    ].join('\n'),
  );
  const [kind, key] = (await readFile(at('host.pub'), 'utf8')).split(' ');
  await writeFile(at('known'), options.known === false ? '' : `[127.0.0.1]:${port} ${kind} ${key}\n`);
  await writeFile(
    at('config'),
    [
      'Host lab',
      '  HostName 127.0.0.1',
      `  Port ${port}`,
      `  User ${userInfo().username}`,
      `  IdentityFile ${at('person')}`,
      '  IdentitiesOnly yes',
      '  IdentityAgent none',
      `  UserKnownHostsFile ${at('known')}`,
      '  GlobalKnownHostsFile none',
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  const ssh = execFileSync('which', ['ssh']).toString().trim();
  await writeFile(at('bin/ssh'), `#!/bin/sh\nexec ${ssh} -F ${at('config')} "$@"\n`);
  await chmod(at('bin/ssh'), 0o755);
  let child = await start(at('sshd_config'));
  return {
    port,
    home: at('home'),
    target: 'lab',
    bin: at('bin'),
    dropAll: () => killChildren(child.pid ?? -1),
    stop: () => ended(child),
    async start() {
      child = await start(at('sshd_config'));
    },
    async dispose() {
      await ended(child);
      for (const { pid } of await workersOf(at('home'))) kill(pid);
      await rm(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function start(config: string): Promise<ChildProcess> {
  const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/Server listening on/.test(output)) resolve(child);
    });
    child.once('exit', (code) => reject(new Error(`sshd ended (${code}): ${output}`)));
    child.once('error', reject);
  });
}

/** The processes of workers that were installed in a home directory. Only on Linux; empty elsewhere. */
export async function workersOf(
  home: string,
): Promise<readonly { readonly pid: number; readonly line: string }[]> {
  const processes: { readonly pid: number; readonly line: string }[] = [];
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(`${home}/.svc/worker/`))
      processes.push({ pid: Number(pid), line: line.replaceAll('\0', ' ') });
  }
  return processes;
}

/** Kills the processes of the connections: sshd's child processes and their children. */
function killChildren(pid: number): void {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,comm=']).toString().split('\n');
  const rows = table.map((line) => line.trim().split(/\s+/));
  const below = (of: string): string[] =>
    rows
      .filter(([, parent, name]) => parent === of && name === 'sshd')
      .flatMap(([child = '']) => [...below(child), child]);
  for (const one of below(String(pid))) {
    kill(Number(one));
  }
}

/** Kills a process; it is no error if the process has already ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  killChildren(child.pid ?? -1);
  const over = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await over;
}
