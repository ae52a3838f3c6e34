import { expect, it } from 'vitest';
import { createWorkerTokens } from '../exec/remote/call/workerTokens.ts';
import { tryCell } from '../exec/remote/health/tryCell.ts';
import { tryWorker } from '../exec/remote/health/tryWorker.ts';
import { createRemoteExecutor } from '../exec/remote/remoteExecutor.ts';
import { startTestWorker } from './testWorker.ts';

it('[RW-47] a worker that is tried runs a cell that does nothing; with another token it is not reached', async () => {
  const app = await startTestWorker({ SVC_WORKER_TOKEN: 'right' });
  const limits = { provisioningSeconds: 60, maxMemberBytes: 1e9 };
  const executor = createRemoteExecutor({ tokens: createWorkerTokens({}), ...limits });
  const tried = (token: string) => {
    const url = `${app.url}/v1/execute`;
    const worker = { name: 'gpu', backend: 'executor', runtime_id: null, config: { url, token } } as const;
    const runCell = (language: 'python' | 'r') => tryCell(executor, { worker, notebookId: 'n', language });
    return tryWorker({ url, token, runCell });
  };
  try {
    const good = await tried('right');
    expect(good).toMatchObject({ trouble: null, problem: null });
    expect(good.checks).toHaveLength(6);
    expect(await tried('wrong')).toMatchObject({ trouble: 'unauthorized' });
  } finally {
    await app.close();
  }
});
