/** Tests that a real server shows the output of cells on workers while they run, directly and behind a relay. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenNotebook, openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type SvcProcess, startSvc } from '../support/svcProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

const TOKEN = 'a-worker-token';
let root = '';
let server: ServerProcess;
let worker: WorkerProcess;
let relay: SvcProcess;
let connected: SvcProcess;
let notebook: OpenNotebook;

const cellOn = (worker: string): string =>
  `# @worker ${worker}\nimport time, sys\nprint("first", flush=True)\nprint("aside", file=sys.stderr, flush=True)\ntime.sleep(60)`;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'live-console-'));
  const env = { SVC_WORKER_TOKEN: TOKEN };
  relay = startSvc(['relay', '--port', '0'], { SVC_RELAY_WORKERS: 'far=a-connect-token-of-the-tests' });
  const port = Number(/127\.0\.0\.1:(\d+):/.exec(await relay.firstLine)?.[1]);
  connected = startSvc(['worker', '--connect', `ws://127.0.0.1:${port}/connect/far`], {
    ...env,
    SVC_WORKER_CONNECT_TOKEN: 'a-connect-token-of-the-tests',
  });
  await connected.said('connected to the relay');
  [worker, server] = await Promise.all([
    startWorkerProcess({ env }),
    startServerProcess({ grants: [root], env: { WORKER_TOKEN_OF_TESTS: TOKEN } }),
  ]);
  notebook = await openNotebook(server, join(root, 'nb'), [
    { id: 'c0000001', source: cellOn('near') },
    { id: 'c0000002', source: cellOn('far') },
  ]);
  const spec = (name: string, url: string) => ({
    name,
    backend: 'executor',
    config: { url: `${url}/v1/execute`, token_env: 'WORKER_TOKEN_OF_TESTS' },
  });
  const workers = [spec('near', worker.url), spec('far', `http://127.0.0.1:${port}/w/far`)];
  await rest(server.url, 'PUT', `/v1/notebooks/${notebook.sid}/workers`, { workers });
});
afterAll(async () => {
  await server?.dispose();
  await worker?.stop();
  await connected?.stop('SIGKILL');
  await relay?.stop('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

describe('[BU-10] the output of a pushed cell is shown while it runs', () => {
  it.each([
    ['on a worker', 'c0000001'],
    ['behind a relay', 'c0000002'],
  ])('%s', async (_where, cell) => {
    const running = notebook.execute(cell);
    const consoleTexts = async () => {
      const { console_stdout, console_stderr } = await notebook.cell(cell);
      return [console_stdout, console_stderr];
    };
    await expect.poll(consoleTexts).toEqual(['first\n', 'aside\n']);
    await rest(server.url, 'POST', `/v1/notebooks/${notebook.sid}/cells/${cell}/cancel`);
    expect(await running).toMatchObject({ error_code: 'cancelled' });
  });
});
