/** For tests of R cells: an R runner with a folder of its own. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRscript } from '../../../../environment/findRscript.ts';
import type { ExecRequest } from '../../../executor.ts';
import { runCell } from '../../../testing/executorContract.ts';
import { HARNESS_DIR, processesWith, TEST_MARK } from '../../testing/testBench.ts';
import { testRequest } from '../../testing/testRequest.ts';
import { createRRunner, type RRunner } from '../rRunner.ts';

/** The machine's Rscript; null: tests of R are skipped. */
export const RSCRIPT = await findRscript(process.env['SVC_RSCRIPT'] || null);
export const NO_R = 'this machine has no Rscript (Debian: apt-get install r-base-core)';

export interface RBench {
  readonly executor: RRunner;
  readonly dir: string;
  request(source: string, overrides?: Partial<ExecRequest>): ExecRequest;
  run(source: string, overrides?: Partial<ExecRequest>): ReturnType<typeof runCell>;
  /** The remaining processes of this bench, by command line. */
  processes(): readonly string[];
  close(): Promise<void>;
}

/** An R runner with its own folder; with a pool size its spares are ready. */
export async function openRBench(poolSize: number): Promise<RBench> {
  const dir = mkdtempSync(join(tmpdir(), 'cellar-r-bench-'));
  const mark = randomUUID();
  process.env[TEST_MARK] = mark;
  const executor = createRRunner({ harnessDir: HARNESS_DIR, envAllowlist: null, poolSize });
  if (RSCRIPT !== null) await executor.prepare(RSCRIPT);
  let runs = 0;
  const request = (source: string, overrides: Partial<ExecRequest> = {}): ExecRequest => {
    process.env[TEST_MARK] = mark;
    runs += 1;
    const outputDir = join(dir, `run-${runs}`);
    mkdirSync(outputDir);
    return testRequest({
      runId: `run-${runs}`,
      cellId: `cell-${runs}`,
      cellName: 'tested',
      language: 'r',
      interpreter: { path: RSCRIPT ?? '', identity: mark },
      source,
      cwd: dir,
      outputDir,
      ...overrides,
    });
  };
  return {
    executor,
    dir,
    request,
    run: (source, overrides = {}) => runCell({ executor, request }, source, { overrides }),
    processes: () => processesWith(`${TEST_MARK}=${mark}`),
    async close() {
      await executor.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
