/**
 * Tests the worker commands that the panel offers to copy, pasted into a real shell: they work, and no argument of a
 * process shows a token.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { relayCommand } from '../../src-renderer/panels/workers/workerDraft.ts';
import { WORKER_COMMANDS } from '../../src-renderer/words/workers.ts';
import { PROJECT_ROOT } from '../support/serverProcess.ts';

const DIST = join(PROJECT_ROOT, 'dist');
const homes: string[] = [];
const shells: ChildProcess[] = [];
afterEach(() => {
  for (const shell of shells.splice(0)) if (shell.pid !== undefined) kill(shell.pid);
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Runs a shell that has `svc`; returns what it prints. */
function shell(args: readonly string[], input: string) {
  const home = mkdtempSync(join(tmpdir(), 'cellar-copied-'));
  homes.push(home);
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${DIST}/svc.mjs' "$@"\n`, {
    mode: 0o755,
  });
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: home };
  const child = spawn('/bin/sh', args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  shells.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  child.stdin.end(input);
  return { home, said: () => output, group: child.pid ?? 0 };
}

/** The arguments of every process of a group. */
function argumentsOf(group: number): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) !== group) return [];
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      return []; // Not a process, or a process that has ended.
    }
  });
}

const soon = { timeout: 60_000, interval: 100 };

it.runIf(process.platform === 'linux')(
  '[CL-63] the panel’s command for a relay starts the worker when pasted, and no process argument shows a token',
  async () => {
    const tokens = { token: 'worker-token-of-a-test', connectToken: "relay token's own" };
    const direct = { transport: 'direct', serverUrl: '' } as const;
    const command = relayCommand({
      way: 'relay',
      name: 'gpu',
      url: '',
      relay: 'ws://127.0.0.1:1',
      target: '',
      pickles: true,
      ...tokens,
      ...direct,
    });
    const { home, group } = shell(['-s'], `${command}\n`);
    const worker = () => argumentsOf(group).filter((text) => text.includes('svc.mjs worker --connect'));
    await vi.waitFor(() => expect(worker()).toHaveLength(1), soon);
    for (const text of argumentsOf(group))
      for (const token of Object.values(tokens)) expect(text).not.toContain(token);
    for (const [name, token] of [
      ['worker-gpu.token', tokens.token],
      ['worker-gpu.connect-token', tokens.connectToken],
    ] as const) {
      const path = join(home, '.svc', name);
      expect(existsSync(path)).toBe(true);
      expect(readFileSync(path, 'utf8')).toBe(token);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  },
);

it.runIf(process.platform === 'linux')(
  '[CL-63] the panel’s command for an address prompts for the token, which the worker then requires',
  async () => {
    const command = WORKER_COMMANDS.direct.replace('0.0.0.0', '127.0.0.1').replace('--port 9000', '--port 0');
    const { said } = shell(['-c', command], 'typed-token\n');
    await vi.waitFor(() => expect(said()).toMatch(/Cellar worker is at http/), soon);
    const url = /Cellar worker is at (http\S+)/.exec(said())?.[1];
    const status = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${url}/v1/execute`, { method: 'POST', headers })).status;
    };
    expect(await status('another')).toBe(401);
    expect(await status('typed-token')).not.toBe(401);
    expect(said()).not.toContain('typed-token');
  },
);

it('[CL-65] the single-file worker reports which Node it needs', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cellar-old-node-'));
  homes.push(dir);
  const older = join(dir, 'older.cjs');
  writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.11.0' });");
  const end = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(
      process.execPath,
      ['--require', older, join(DIST, 'svc-worker.cjs'), '--port', '0'],
      (error, _stdout, stderr) => resolve({ code: error?.code, stderr }),
    ),
  );
  expect(end).toEqual({
    code: 2,
    stderr: expect.stringContaining('Node 20.11.0, and a worker needs 22.15 or newer'),
  });
});
