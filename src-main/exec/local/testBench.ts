import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ExecRequest } from '../executor.ts';
import type { ExecutorBench } from '../executorContract.ts';
import { createLocalExecutor, type LocalExecutorOptions } from './localExecutor.ts';
import { testRequest } from './testRequest.ts';

/** Set in the server's environment, so that every process of a test carries it. */
export const TEST_MARK = 'CELLAR_EXEC_TEST';

export const HARNESS_DIR = join(import.meta.dirname, '../../../harness');

/** The Python of the machine, by real path: a version manager's shim is no interpreter. */
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
  /** Processes of this bench still there, by command line. */
  processes(): readonly string[];
  remove(): void;
}

/** A local executor on a folder of its own, every process of which can be found again. */
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
    processes: () => marked(`${TEST_MARK}=${mark}`),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Closes the executors, and fails when a process of theirs is left. */
export async function closeBenches(benches: readonly LocalBench[]): Promise<void> {
  for (const bench of benches) {
    await bench.executor.close();
    await noProcessLeft(bench);
    bench.remove();
  }
}

/** A killed process stays readable in /proc until its parent, or init, has collected it. */
export function noProcessLeft(bench: LocalBench): Promise<void> {
  return vi.waitFor(() => expect(bench.processes()).toEqual([]), { timeout: 5_000, interval: 10 });
}

/** Command lines of the processes whose environment holds the entry, zombies excepted. */
export function marked(entry: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry)) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`];
    } catch {
      return []; // It ended while we looked.
    }
  });
}
