import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTool, type ToolEnd, type ToolRun } from './runTool.ts';

const shell = async (script: string, more: Partial<ToolRun> = {}) => {
  const text = { stdout: '', stderr: '' };
  const end = await runTool({
    file: '/bin/sh',
    args: ['-c', script],
    env: process.env,
    timeoutMs: 10_000,
    onText: (stream, piece) => {
      text[stream] += piece;
    },
    ...more,
  });
  return { end, ...text };
};

describe.skipIf(process.platform === 'win32')('running a helper program', () => {
  const ends: readonly (readonly [script: string, end: ToolEnd])[] = [
    ['exit 0', { kind: 'exited', code: 0 }],
    ['exit 3', { kind: 'exited', code: 3 }],
    ['kill -9 $$', { kind: 'exited', code: 137 }],
  ];
  it.each(ends)('`%s`', async (script, end) => {
    expect((await shell(script)).end).toEqual(end);
  });

  it('returns both streams with whole characters', async () => {
    const { stdout, stderr } = await shell("printf 'é'; printf '🐍' >&2");
    expect([stdout, stderr]).toEqual(['é', '🐍']);
  });

  it('a missing program is a result, not an exception', async () => {
    const end = await runTool({ file: '/nowhere/uv', args: [], env: process.env, timeoutMs: 10_000 });
    expect(end.kind).toBe('unstartable');
  });

  it('cancel and timeout end the whole process group', async () => {
    const cancel = new AbortController();
    const child = shell('sleep 60 & echo $!; wait', { signal: cancel.signal });
    setImmediate(() => cancel.abort());
    expect((await child).end).toEqual({ kind: 'cancelled' });
    expect((await shell('sleep 60 & echo started; wait', { timeoutMs: 50 })).end).toEqual({
      kind: 'timeout',
    });
    const before = AbortSignal.abort();
    expect((await shell('exit 0', { signal: before })).end).toEqual({ kind: 'cancelled' });
  });

  it('when the server is killed, its helpers end', async () => {
    const code = `
      const { runTool } = await import(process.argv[1]);
      runTool({ file: '/bin/sh', args: ['-c', 'echo $$; exec sleep 60'], env: process.env, timeoutMs: 60000,
        onText: (_, text) => process.stdout.write(text) });`;
    const server = spawn(process.execPath, ['-e', code, join(import.meta.dirname, 'runTool.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await once(server.stdout, 'data');
    const pid = Number(String(output));
    expect(isAlive(pid)).toBe(true);
    server.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  if (existsSync('/proc/self')) return existsSync(`/proc/${pid}`);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
