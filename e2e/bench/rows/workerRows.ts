/**
 * Benchmark rows of one worker that serves many notebooks: memory for eight environments, and how well a full worker is
 * used.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkerTokens } from '../../../src-main/exec/remote/call/workerTokens.ts';
import { createRemoteExecutor } from '../../../src-main/exec/remote/remoteExecutor.ts';
import { remoteRequest } from '../../support/remoteRequest.ts';
import { startWorkerProcess } from '../../support/workerProcess.ts';
import { pssMiB, startedBy } from '../processes.ts';
import { type Group, timed } from '../row.ts';

const ENVIRONMENTS = 8;
const CELLS = 20;
const SLOTS = 2;
const SLEEPING = 'import time\ntime.sleep(0.25)';
const PROJECT = '[project]\nname = "p"\nversion = "0.1.0"\nrequires-python = ">=3.10"\ndependencies = []\n';

/** A different lock for each number, with its own key; it installs nothing. */
function lockOf(number: number): string {
  const requires = `>=3.10,<4.${number}`;
  return `version = 1\nrevision = 2\nrequires-python = "${requires}"\n\n[[package]]\nname = "p"\nversion = "0.1.0"\nsource = { virtual = "." }\n`;
}

export const workerRows: Group = {
  title: 'a worker of many notebooks',
  async run(record) {
    const dir = await mkdtemp(join(tmpdir(), 'cellar-bench-'));
    const worker = await startWorkerProcess({
      args: ['--max-concurrent', String(SLOTS)],
      env: { SVC_WORKER_ENV_ROOT: join(dir, 'envs') },
    });
    const limits = { provisioningSeconds: 600, maxMemberBytes: 2 ** 30 };
    const executor = createRemoteExecutor({ tokens: createWorkerTokens({}), ...limits });
    let runs = 0;
    const run = async (cwd: string, source: string): Promise<void> => {
      runs += 1;
      // Each run has its own cell id, because a cell that is sent twice is run once.
      const cellId = `c${runs}`;
      const outputDir = join(dir, `run-${runs}`);
      await mkdir(outputDir);
      const request = remoteRequest({
        source,
        cwd,
        outputDir,
        cellId,
        worker: {
          name: 'bench',
          backend: 'executor',
          runtime_id: null,
          config: { url: `${worker.url}/v1/execute` },
        },
      });
      const signal = new AbortController().signal;
      const outcome = await executor.run(request, {
        signal,
        onConsole: () => undefined,
        onProgress: () => undefined,
      });
      if (outcome.kind !== 'finished') throw new Error(`a cell of the bench: ${outcome.message}`);
      await outcome.discard?.();
    };
    try {
      // The first runs start the warm processes.
      for (let i = 0; i < 3; i++) await run(dir, SLEEPING);
      const cells = Array.from({ length: CELLS });
      const together = await timed(() => Promise.all(cells.map(() => run(dir, SLEEPING))));
      const alone: number[] = [];
      for (let i = 0; i < 5; i++) alone.push(await timed(() => run(dir, SLEEPING)));
      record('full worker, 20 cells', [(together / ((Math.min(...alone) * CELLS) / SLOTS)) * 100]);
      for (let number = 1; number <= ENVIRONMENTS; number++) {
        const notebook = join(dir, `notebook-${number}`);
        await mkdir(notebook);
        await writeFile(join(notebook, 'uv.lock'), lockOf(number));
        await writeFile(join(notebook, 'pyproject.toml'), PROJECT);
        await run(notebook, 'import decimal\nx = decimal.Decimal(1)');
      }
      // The time of one more cell allows processes to end that must make room for others.
      await run(dir, SLEEPING);
      const memoryMiB = startedBy(worker.pid).reduce((sum, pid) => sum + pssMiB(pid), 0);
      record('worker, eight environments', [memoryMiB]);
    } finally {
      await worker.stop('SIGKILL');
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
