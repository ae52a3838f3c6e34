import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createGpuMemory, type GpuMemory } from './gpuMemory.ts';

const MIB = 1024 * 1024;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** GPU memory as a fake `nvidia-smi` with this script reports it. */
function readFrom(script: string): GpuMemory {
  const folder = mkdtempSync(join(tmpdir(), 'cellar-gpu-'));
  writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'nvidia-smi'), 0o755);
  const gpu = createGpuMemory({ env: { PATH: `${folder}:/usr/bin:/bin` } });
  ends.push(
    () => gpu.close(),
    () => rmSync(folder, { recursive: true }),
  );
  return gpu;
}

/** A process with a child, both in a group of their own. */
async function groupOfTwo(): Promise<{ readonly leader: number; readonly member: number }> {
  const child: ChildProcess = spawn('/bin/sh', ['-c', 'sleep 600 & echo $!; wait'], { detached: true });
  const leader = child.pid ?? 0;
  ends.push(() => process.kill(-leader, 'SIGKILL'));
  const text = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (bytes) => resolve(String(bytes))),
  );
  return { leader, member: Number(text) };
}

const forever = (lines: string): string => `while :; do printf '${lines}'; sleep 0.05; done`;

test.skipIf(process.platform !== 'linux')(
  '[WI-405] the GPU memory of a run is that of its process group on all GPUs',
  async () => {
    const { leader, member } = await groupOfTwo();
    const lines = `GPU-1, ${leader}, 512\\nGPU-2, ${leader}, 100\\nGPU-1, ${member}, 8\\nGPU-1, 1, 4000\\nGPU-1, ${leader}x, 9\\nGPU-1, ${member}, [N/A]\\n`;
    const usage = readFrom(forever(lines)).follow();
    await vi.waitFor(() => expect(usage?.end(leader)).toBe(620 * MIB), 45_000);
    expect(usage?.end(-1)).toBeNull();
  },
);

test('[WI-405] without nvidia-smi nothing is started', () => {
  const gpu = createGpuMemory({ env: { PATH: mkdtempSync(join(tmpdir(), 'cellar-none-')) } });
  expect(gpu.follow()).toBeNull();
  expect(createGpuMemory({ env: {} }).follow()).toBeNull();
});

test.skipIf(process.platform === 'win32')(
  '[WI-405] nvidia-smi without a driver is run only once',
  async () => {
    const gpu = readFrom('exit 9');
    expect(gpu.follow()?.end(process.pid)).toBeNull();
    await vi.waitFor(() => expect(gpu.follow()).toBeNull(), 45_000);
  },
);
