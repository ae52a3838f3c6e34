/** Tests cells that a real worker process pulls from a real server: the same results as a local run and as a push. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionResult } from '../../src-shared/wire/execution.ts';
import { longTest } from '../support/longRun.ts';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

let root = '';
let server: ServerProcess;
let worker: WorkerProcess;
let mortal: WorkerProcess;
let notebook: OpenNotebook;

const BASE = 'import math\nbase = 20\n\ndef twice(n):\n    return n * 2 + int(math.sqrt(0))';
const PLACES = ['local', 'pushed', 'pulled'] as const;
const names = (of: string): string[] => PLACES.map((place) => `${of}_${place}`);
const SOURCES = [
  { id: 'b0000001', source: BASE },
  ...PLACES.map((place, i) => ({
    id: `b000001${i}`,
    source: `# @worker ${place}\nprint("there")\nfrom datetime import date\nset_${place} = {date(2026, 1, 2), twice(base)}\nbig_${place} = twice(10 ** 30)\nfn_${place} = {"x": (1, 2)}\nset_${place}, "shown"`,
  })),
  {
    id: 'b0000020',
    // Equal sets may list their members in different orders.
    source: `said = lambda one: repr(sorted(one, key=repr) if isinstance(one, set) else one)\nprint([len({said(one) for one in group}) for group in ([${[names('set'), names('big'), names('fn')].map((group) => group.join(', ')).join('], [')}])])`,
  },
  { id: 'b0000021', source: '# @worker pulled\n1 / 0' },
  { id: 'b0000022', source: '# @worker pulled\nimport time\nprint("on", flush=True)\ntime.sleep(60)' },
  { id: 'b0000023', source: '# @worker pulled\n# @timeout 1\nimport time\ntime.sleep(60)' },
  { id: 'b0000024', source: '# @worker mortal\nimport time\ntime.sleep(60)' },
];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pulled-cells-'));
  const env = { SVC_WORKER_TOKEN: 'a-token', SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' };
  [worker, mortal, server] = await Promise.all([
    startWorkerProcess({ env }),
    startWorkerProcess({ env }),
    startServerProcess({ grants: [root] }),
  ]);
  notebook = await openNotebook(server, join(root, 'nb'), SOURCES);
  const spec = (name: string, { url }: WorkerProcess, transport: string) => ({
    name,
    backend: 'executor',
    config: { url: `${url}/v1/execute`, transport },
  });
  const workers = [
    spec('pushed', worker, 'direct'),
    spec('pulled', worker, 'signed'),
    spec('mortal', mortal, 'signed'),
  ];
  await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, { workers });
  for (const { name } of workers) {
    const token = { name, token: 'a-token' };
    await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/x/workers/token`, token);
  }
});
afterAll(async () => {
  await server?.dispose();
  await worker?.stop();
  await mortal?.stop();
  await rm(root, { recursive: true, force: true });
});

const active = async ({ url }: WorkerProcess): Promise<number> =>
  ((await (await fetch(`${url}/health`)).json()) as { active_executions: number }).active_executions;

async function bytesOf({ outputs }: ExecutionResult): Promise<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { content_type, bytes, preview }]) => [
      name.replace(/_[a-z]+$/, ''),
      { content_type, bytes, preview },
    ]),
  );
}

describe('[BU-7] a worker process that fetches its cells', () => {
  it('stores the same results as a local run and a push, and local cells read them', async () => {
    const ran = [];
    for (const [i] of PLACES.entries()) ran.push(await notebook.execute(`b000001${i}`));
    expect(ran.map(({ status, stdout, error }) => [status, stdout, error])).toEqual(
      PLACES.map(() => ['ready', 'there\n', null]),
    );
    const displayTexts = PLACES.map(() =>
      expect.stringMatching(/^\(\{.*datetime\.date\(2026, 1, 2\).*\}, 'shown'\)$/),
    );
    expect(ran.map(({ display }) => display?.text)).toEqual(displayTexts);
    expect(ran[2]).toMatchObject({
      execution_method: 'executor',
      remote_worker: 'pulled',
      remote_transport: 'signed',
      remote_build_id: expect.stringMatching(/^nbbuild-/),
      remote_build_state: 'ready',
    });
    const [local, pushed, pulled] = await Promise.all(ran.map(bytesOf));
    expect([pushed, pulled]).toEqual([local, local]);
    const check = await notebook.execute('b0000020');
    expect([check.error, check.stdout]).toEqual([null, '[1, 1, 1]\n']);
    expect(await notebook.execute('b0000012')).toMatchObject({ cache_hit: true });
  });

  it('[BU-8] an exception of the cell fails it, with its line numbers', async () => {
    const failed = await notebook.execute('b0000021');
    expect(failed).toMatchObject({ status: 'error', error: 'ZeroDivisionError: division by zero' });
    expect(failed.traceback).toContain('1 / 0');
  });

  it('[RW-18] stopping a cell stops it on the worker', async () => {
    const running = notebook.execute('b0000022');
    await expect.poll(() => active(worker)).toBe(1);
    await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/b0000022/cancel`);
    expect(await running).toMatchObject({ status: 'error', error_code: 'cancelled' });
    await expect.poll(() => active(worker)).toBe(0);
  });

  it('[BU-6] the output of a cell is shown while it runs', async () => {
    const running = notebook.execute('b0000022');
    await expect.poll(async () => (await notebook.cell('b0000022')).console_stdout).toBe('on\n');
    await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/b0000022/cancel`);
    await running;
  });

  it('[BU-8] a cell that times out fails', async () => {
    const late = await notebook.execute('b0000023');
    expect(late).toMatchObject({
      status: 'error',
      remote_error_code: 'TIMEOUT',
      remote_build_state: 'failed',
    });
  });

  // The server waits for the worker for seconds before it gives up.
  longTest('src-main/exec/remote/resumeRun.test.ts')(
    '[BU-8] a cell whose worker is killed fails',
    async () => {
      const running = notebook.execute('b0000024');
      await expect.poll(() => active(mortal)).toBe(1);
      await mortal.stop('SIGKILL');
      const failed = await running;
      expect(failed).toMatchObject({ status: 'error', remote_error_code: 'REQUEST_FAILED' });
      expect(failed.error).toContain("'mortal'");
    },
  );
});
