import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll } from 'vitest';
import { workerConformance } from '../conformance/workerContract.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

/** CELLAR_WORKER_URL (with CELLAR_WORKER_TOKEN) names another worker to hold to the same. */
const url = process.env['CELLAR_WORKER_URL'] ?? null;
const token = url === null ? 'a-token-of-the-tests' : (process.env['CELLAR_WORKER_TOKEN'] ?? null);
let own: WorkerProcess | null = null;

beforeAll(async () => {
  if (url === null) own = await startWorkerProcess({ env: { SVC_WORKER_TOKEN: token ?? '' } });
});
afterAll(async () => {
  await own?.stop();
});

const hasR = spawnSync('Rscript', ['--version']).status === 0;
workerConformance('a worker', { worker: () => ({ url: url ?? own?.url ?? '', token }), hasR });
