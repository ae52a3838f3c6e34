import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SECRET_NAMES } from '../exec/local/childEnvironment.ts';

/** Names the pipe the secrets come by, in the program that took our place. */
const HANDOVER = 'SVC_WORKER_HANDOVER';

/** What is told when something can still be seen. */
export type Warn = (words: string) => void;

/**
 * Takes the secrets out of this process for good (document 1: a cell reads them neither from its environment nor from
 * /proc). Deleting a variable leaves its bytes in the block the process was started with, which /proc shows, and Node
 * cannot write there; so the process replaces itself by the same program with a clean environment, under the same
 * number, and gets the values back through a pipe that no other user can open.
 * Does not return where it replaces itself: call it before anything else happens.
 * @returns the secrets that were set
 */
export function hideSecrets(warn: Warn): Readonly<Record<string, string>> {
  const pipe = process.env[HANDOVER];
  if (pipe !== undefined) return handedOver(pipe);
  const secrets: Record<string, string> = {};
  for (const name of SECRET_NAMES) {
    const value = process.env[name];
    delete process.env[name];
    if (value !== undefined && value.trim() !== '') secrets[name] = value;
  }
  if (Object.keys(secrets).length === 0) return secrets;
  const cannot = replaceProcess(secrets);
  warn(`the worker's own environment block still shows its secrets to cells: ${cannot}`);
  return secrets;
}

/** @returns why it could not be done; else it does not return */
function replaceProcess(secrets: Readonly<Record<string, string>>): string {
  const { execve } = process as {
    execve?: (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => void;
  };
  if (process.platform === 'win32') return 'Windows cannot replace a process';
  if (execve === undefined) return `Node ${process.version} cannot replace a process (22.15 and newer can)`;
  const dir = mkdtempSync(join(tmpdir(), 'svc-worker-'));
  const pipe = join(dir, 'secrets');
  if (spawnSync('mkfifo', ['-m', '600', pipe]).status !== 0) {
    rmSync(dir, { recursive: true, force: true });
    return 'mkfifo could not be run';
  }
  // Waits in the background for a reader, which is the program we become; the values touch no disk.
  const script = 'exec 3<&0; cat <&3 >"$0" 3<&- &';
  spawnSync('/bin/sh', ['-c', script, pipe], {
    input: JSON.stringify(secrets),
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  execve.call(process, process.execPath, args, { ...process.env, [HANDOVER]: pipe });
  return 'the process could not be replaced';
}

function handedOver(pipe: string): Readonly<Record<string, string>> {
  delete process.env[HANDOVER];
  try {
    return JSON.parse(readFileSync(pipe, 'utf8')) as Record<string, string>; // ours, of a moment ago
  } finally {
    rmSync(dirname(pipe), { recursive: true, force: true });
  }
}

/** Says so when whoever started us shows a token of ours: that is not ours to mend (worker-details 8). */
export function warnOfParent(secrets: Readonly<Record<string, string>>, warn: Warn): void {
  let block: string;
  try {
    block = readFileSync(`/proc/${process.ppid}/environ`, 'latin1');
  } catch {
    // Another user's, or no /proc here: a cell cannot read it either.
    return;
  }
  for (const name of ['SVC_WORKER_TOKEN', 'SVC_WORKER_CONNECT_TOKEN']) {
    const value = secrets[name];
    if (value === undefined) continue;
    const shown = block.split('\0').includes(`${name}=${Buffer.from(value).toString('latin1')}`);
    if (shown) {
      warn(
        `the process that started this worker (${process.ppid}) still shows ${name} to cells of this user; start the worker with \`exec\`, or from a service that reads the token from a file`,
      );
    }
  }
}
