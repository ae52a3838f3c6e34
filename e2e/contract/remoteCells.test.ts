/**
 * Tests cells that a real server pushes to a real worker process: values, failures, stopping, and the choice of a
 * worker.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell } from '../../src-shared/wire/cell.ts';
import type { ExecutionResult } from '../../src-shared/wire/execution.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { plainServer } from '../support/plainServer.ts';
import { rest } from '../support/rest.ts';
import type { ServerProcess } from '../support/serverProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

let root = '';
let server: ServerProcess;
let worker: WorkerProcess;
let notebook: OpenNotebook;

const SOURCES = [
  { id: 'a0000001', source: 'import math\nbase = 20\n\ndef twice(n):\n    return n * 2' },
  { id: 'a0000002', source: '# @worker gpu\nprint("there")\nanswer = twice(base) + 2' },
  { id: 'a0000003', source: 'print(answer, type(answer).__name__)\nanswer' },
  { id: 'a0000004', source: '# @worker gpu\n1 / 0' },
  { id: 'a0000005', source: '# @worker gpu\nimport time\nprint("on", flush=True)\ntime.sleep(60)' },
  { id: 'a0000006', source: '# @worker nobody\n1' },
  { id: 'a0000007', source: 'answer2 = twice(base) + 2' },
  { id: 'a0000008', source: 'answer2' },
  { id: 'a0000009', source: '# @worker ours\nanswer3 = 3' },
];

beforeAll(async () => {
  ({ root, server } = await plainServer('remote-cells-'));
  worker = await startWorkerProcess({ env: { SVC_WORKER_TOKEN: 'a-token' } });
  notebook = await openNotebook(server, join(root, 'nb'), SOURCES);
  const gpu = { name: 'gpu', backend: 'executor', config: { url: `${worker.url}/v1/execute` } };
  await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, { workers: [gpu] });
  const token = { name: 'gpu', token: 'a-token' };
  await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/x/workers/token`, token);
});
afterAll(async () => {
  await server?.dispose();
  await worker?.stop();
  await rm(root, { recursive: true, force: true });
});

async function execute(id: string): Promise<ExecutionResult> {
  const path = `/v1/notebooks/${notebook.sid}/cells/${id}/execute`;
  return (await rest<ExecutionResult>(server.url, 'POST', path)).body;
}

async function cellOf(id: string): Promise<Cell | undefined> {
  const { body } = await rest<{ cells: Cell[] }>(server.url, 'GET', `/v1/notebooks/${notebook.sid}/cells`);
  return body.cells.find((cell) => cell.id === id);
}

describe('[RW-14] a notebook and a real worker', () => {
  it('a cell runs on the worker with local values and functions, and local cells read its results', async () => {
    const ran = await execute('a0000002');
    expect(ran).toMatchObject({
      status: 'ready',
      stdout: 'there\n',
      execution_method: 'executor',
      remote_worker: 'gpu',
      remote_transport: 'direct',
      remote_build_id: expect.stringMatching(/^notebook-/),
    });
    expect(await execute('a0000003')).toMatchObject({ status: 'ready', stdout: '42 int\n' });
    expect(await execute('a0000002')).toMatchObject({ cache_hit: true });
    expect(await cellOf('a0000002')).toMatchObject({ remote_worker: 'gpu', remote_error_code: null });
  });

  it('[RW-15] a failure on the worker fails the cell, with its line numbers', async () => {
    const failed = await execute('a0000004');
    expect(failed).toMatchObject({
      status: 'error',
      error: 'ZeroDivisionError: division by zero',
      remote_worker: 'gpu',
    });
    expect(failed.traceback).toContain('1 / 0');
  });

  it('[RW-18] stopping a cell stops it on the worker', async () => {
    const running = execute('a0000005');
    const active = async (): Promise<number> =>
      ((await (await fetch(`${worker.url}/health`)).json()) as { active_executions: number })
        .active_executions;
    // The output shows that the process of the cell runs, not only that the worker admitted the cell.
    const printed = async () => (await cellOf('a0000005'))?.console_stdout;
    await expect.poll(printed).toBe('on\n');
    expect(await active()).toBe(1);
    await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/a0000005/cancel`);
    expect(await running).toMatchObject({ status: 'error', error_code: 'cancelled' });
    await expect.poll(active).toBe(0);
  });

  it('[RW-12] a cell with an undefined worker fails with the name of that worker', async () => {
    const failed = await execute('a0000006');
    expect(failed.error).toMatch(/^Execution failed: worker 'nobody' is unknown; /);
  });

  it('[RW-28] a worker of the server is offered to every notebook until it is disabled', async () => {
    const registry = '/v1/admin/notebook-workers';
    const config = { url: `${worker.url}/v1/execute`, token: 'a-token' };
    const ours = { name: 'ours', backend: 'executor', config };
    const listed = await rest<{ workers: object[] }>(server.url, 'POST', registry, ours);
    expect(listed.body.workers).toContainEqual(
      expect.objectContaining({ name: 'ours', source: 'server', health: 'healthy' }),
    );
    expect(await execute('a0000009')).toMatchObject({ status: 'ready', remote_worker: 'ours' });
    await rest(server.url, 'PATCH', `${registry}/ours`, { enabled: false });
    expect((await execute('a0000009')).error).toMatch(/worker 'ours' is unknown; /);
  });

  it('[RW-13] the default worker is set and reset', async () => {
    const path = `/v1/notebooks/${notebook.sid}/worker`;
    const answer = await rest<{ worker: string }>(server.url, 'PUT', path, { worker: 'gpu' });
    expect(answer.body).toMatchObject({
      worker: 'gpu',
      workers: expect.arrayContaining([
        expect.objectContaining({ name: 'gpu', health: 'healthy', token_source: 'memory' }),
      ]),
    });
    const there = await execute('a0000007');
    expect(there).toMatchObject({ remote_worker: 'gpu' });
    const back = await rest<{ worker: string }>(server.url, 'PUT', path, { worker: 'local' });
    expect(back.body.worker).toBe('local');
    const here = await execute('a0000007');
    expect(here.remote_worker).toBeUndefined();
    expect([here.cache_hit, here.outputs['answer2']?.preview]).toEqual([
      false,
      there.outputs['answer2']?.preview,
    ]);
  });
});
