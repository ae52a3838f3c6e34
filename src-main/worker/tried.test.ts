/**
 * The connection check for a remote worker, against a real worker: it runs an empty cell, and reports a wrong
 * token.
 */

import { expect, it } from 'vitest';
import { createWorkerTokens } from '../exec/remote/call/workerTokens.ts';
import { tryCell } from '../exec/remote/health/tryCell.ts';
import { tryWorker } from '../exec/remote/health/tryWorker.ts';
import { createRemoteExecutor } from '../exec/remote/remoteExecutor.ts';
import { startTestWorker } from './testing/testWorker.ts';

it('[RW-47] the check of a worker runs an empty cell, and fails with a wrong token', async () => {
  const app = await startTestWorker({ SVC_WORKER_TOKEN: 'right' });
  const limits = { provisioningSeconds: 60, maxMemberBytes: 1e9 };
  const executor = createRemoteExecutor({ tokens: createWorkerTokens({}), ...limits });
  const check = (token: string) => {
    const url = `${app.url}/v1/execute`;
    const worker = { name: 'gpu', backend: 'executor', runtime_id: null, config: { url, token } } as const;
    const runCell = (language: 'python' | 'r') => tryCell(executor, { worker, notebookId: 'n', language });
    return tryWorker({ url, token, runCell });
  };
  try {
    const report = await check('right');
    expect(report).toMatchObject({ trouble: null, problem: null });
    expect(report.checks).toHaveLength(6);
    expect(await check('wrong')).toMatchObject({ trouble: 'unauthorized' });
  } finally {
    await app.close();
  }
});
