/** For tests of the local executor: an executor with a folder of its own, whose processes can be listed. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ExecRequest } from '../../executor.ts';
import type { ExecutorBench } from '../../testing/executorContract.ts';
import { createLocalExecutor, type LocalExecutorOptions } from '../localExecutor.ts';
import { testRequest } from './testRequest.ts';

/** Set in the server's environment, so that all processes of a test have it. */
export const TEST_MARK = 'CELLAR_EXEC_TEST';

export const HARNESS_DIR = join(import.meta.dirname, '../../../../harness');

/** The real path of the machine's Python: a version manager's shim is not an interpreter. */
export const PYTHON = execFileSync(
  process.env['CELLAR_TEST_PYTHON'] ?? 'python3',
  ['-c', 'import sys; print(sys.executable)'],
  {
    encoding: 'utf8',
  },
).trim();

export interface LocalBench extends ExecutorBench {
  /** The notebook's folder. */
  readonly dir: string;
  /** The remaining processes of this bench, by command line. */
  processes(): readonly string[];
  remove(): void;
}

/** A local executor with its own folder, whose processes can be listed. */
export async function openLocalBench(
  options: Partial<LocalExecutorOptions> = {},
  imports: readonly string[] | null = [],
): Promise<LocalBench> {
  const dir = mkdtempSync(join(tmpdir(), 'cellar-exec-'));
  const mark = randomUUID();
  const interpreter = { path: PYTHON, identity: mark };
  process.env[TEST_MARK] = mark;
  const executor = createLocalExecutor({
    harnessDir: HARNESS_DIR,
    envAllowlist: null,
    poolSize: 2,
    ...options,
  });
  if (imports !== null) await executor.prepare(interpreter, imports);
  let runs = 0;
  return {
    executor,
    dir,
    request(source, overrides = {}): ExecRequest {
      process.env[TEST_MARK] = mark;
      runs += 1;
      const outputDir = join(dir, `run-${runs}`);
      mkdirSync(outputDir);
      return testRequest({
        runId: `run-${runs}`,
        cellId: `cell-${runs}`,
        cellName: 'tested',
        language: 'python',
        interpreter,
        source,
        cwd: dir,
        outputDir,
        ...overrides,
      });
    },
    processes: () => processesWith(`${TEST_MARK}=${mark}`),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Closes the executors, and fails when one of their processes is left. */
export async function closeBenches(benches: readonly LocalBench[]): Promise<void> {
  for (const bench of benches) {
    await bench.executor.close();
    await noProcessLeft(bench);
    bench.remove();
  }
}

/** A killed process stays readable in /proc until its parent, or init, has waited for it. */
export function noProcessLeft(bench: LocalBench): Promise<void> {
  return vi.waitFor(() => expect(bench.processes()).toEqual([]), { timeout: 45_000, interval: 10 });
}

/** Command lines of the processes whose environment has the entry, without zombies. */
export function processesWith(entry: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry)) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`];
    } catch {
      return []; // It ended meanwhile.
    }
  });
}
