/** Removes secret variables from the environment of this process, so that programs it starts cannot read them. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The variable that names the pipe with the values, in the environment of the new program. */
const HANDOVER = 'SVC_SECRET_HANDOVER';

/** Receives a warning about values that remain visible, and why. */
export type Warn = (message: string) => void;

type Values = Readonly<Record<string, string>>;

/**
 * Removes variables from this process for good: processes it starts do not inherit them, and its initial
 * environment does not show them. Deleting a variable leaves its bytes in the block the process was started
 * with, which /proc shows and Node cannot overwrite; so the process replaces itself by the same program with
 * a clean environment, under the same process id, and reads the values from a pipe that no other user can
 * open. Does not return if it replaces itself: call it before anything else. @returns the variables that were
 * set
 */
export function removeFromEnvironment(isSecret: (name: string) => boolean, warn: Warn): Values {
  const pipe = process.env[HANDOVER];
  if (pipe !== undefined) return handedOver(pipe);
  const secrets: Record<string, string> = {};
  for (const name of Object.keys(process.env).filter(isSecret)) {
    const value = process.env[name];
    delete process.env[name];
    if (value !== undefined && value.trim() !== '') secrets[name] = value;
  }
  // Windows removes a variable from the block itself.
  if (Object.keys(secrets).length === 0 || process.platform === 'win32') return secrets;
  const cannot = replaceProcess(secrets);
  warn(`other programs of this user can still read its keys in its start environment: ${cannot}`);
  return secrets;
}

/** @returns why it failed; on success it does not return */
function replaceProcess(secrets: Values): string {
  const { execve } = process as {
    execve?: (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => void;
  };
  if (execve === undefined) return `Node ${process.version} cannot replace a process (22.15 and newer can)`;
  if (process.channel !== undefined && process.channel !== null)
    return 'the program that started it holds a channel to it';
  const dir = mkdtempSync(join(tmpdir(), 'svc-start-'));
  const pipe = join(dir, 'secrets');
  if (spawnSync('mkfifo', ['-m', '600', pipe]).status !== 0) {
    rmSync(dir, { recursive: true, force: true });
    return 'mkfifo could not be run';
  }
  // Waits in the background for a reader, the new program; the values are never written to disk.
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

function handedOver(pipe: string): Values {
  delete process.env[HANDOVER];
  try {
    return JSON.parse(readFileSync(pipe, 'utf8')) as Values; // written by this program a moment ago
  } finally {
    rmSync(dirname(pipe), { recursive: true, force: true });
  }
}
