/**
 * Tests that runs on a worker survive a killed server or relay: each runs once, and its result is delivered and stored.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src-main/lib/testing/freePort.ts';
import { rowsOfRun } from '../support/longRun.ts';
import { openNotebook } from '../support/openNotebook.ts';
import { rest } from '../support/rest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { type SvcProcess, startSvc } from '../support/svcProcess.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/workerProcess.ts';

const TOKEN = 'a-worker-token';
const CONNECT = 'a-connect-token-of-the-tests';
let root = '';
let worker: WorkerProcess;
let relay: SvcProcess;
let connected: SvcProcess;
let relayPort = 0;

const startRelay = (port: number): SvcProcess =>
  startSvc(['relay', '--port', String(port)], { SVC_RELAY_WORKERS: `far=${CONNECT}` });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'reattach-'));
  const env = { SVC_WORKER_TOKEN: TOKEN, SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' };
  relayPort = await freePort();
  relay = startRelay(relayPort);
  await relay.firstLine;
  connected = startSvc(['worker', '--connect', `ws://127.0.0.1:${relayPort}/connect/far`], {
    ...env,
    SVC_WORKER_CONNECT_TOKEN: CONNECT,
    SVC_WORKER_PYTHON: process.env['CELLAR_TEST_PYTHON'] ?? 'python3',
  });
  await connected.said('connected to the relay');
  worker = await startWorkerProcess({ env });
});
afterAll(async () => {
  await worker?.stop();
  await connected?.stop('SIGKILL');
  await relay?.stop('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

/** A cell that writes a line to a file for each run, and continues when the file `go` exists. */
function cellOf(name: string) {
  const file = (ending: string): string => join(root, `${name}.${ending}`);
  const source = `# @worker w\nimport os, time\nwith open(${JSON.stringify(file('ran'))}, "a") as f:\n    f.write("ran\\n")\nwhile not os.path.exists(${JSON.stringify(file('go'))}):\n    time.sleep(0.02)\nprint("done ${name}")\nvalue = 6 * 7`;
  const ran = (): Promise<string> => readFile(file('ran'), 'utf8').catch(() => '');
  return { source, ran, go: file('go') };
}

const letGo = (go: string): Promise<void> => import('node:fs/promises').then((fs) => fs.writeFile(go, ''));

function startServer(
  storageDir: string,
  port = 0,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startServerProcess({
    storageDir,
    port,
    grants: [root],
    env: { WORKER_TOKEN_OF_TESTS: TOKEN, ...env },
  });
}

async function opened(server: ServerProcess, name: string, cells?: { id: string; source: string }[]) {
  const notebook = await openNotebook(server, join(root, name), cells);
  return { notebook, base: `/v1/notebooks/${notebook.sid}` };
}

const workerAt = (url: string, transport: string) => ({
  workers: [
    {
      name: 'w',
      backend: 'executor',
      config: { url: `${url}/v1/execute`, transport, token_env: 'WORKER_TOKEN_OF_TESTS' },
    },
  ],
});

describe('[BU-13] the next server after a kill', () => {
  const RESTARTS: readonly (readonly [transport: string, when: string, endsBefore: boolean])[] = [
    ['direct', 'while the cell still runs', false],
    ['direct', 'after the cell has ended', true],
    ['signed', 'while the cell still runs', false],
  ];
  // Each transport and each moment once.
  it.each(rowsOfRun(RESTARTS, (_row, index) => index > 0))(
    '%s: requests the run by its name, %s',
    async (transport, _when, endsBefore) => {
      const name = `restart-${transport}-${String(endsBefore)}`;
      const cell = cellOf(name);
      const storage = await mkdtemp(join(root, 'storage-'));
      const first = await startServer(storage);
      const before = await opened(first, name, [{ id: 'd0000001', source: cell.source }]);
      await rest(first.url, 'PUT', `${before.base}/workers`, workerAt(worker.url, transport));
      const firstRun = before.notebook.execute('d0000001').catch(() => null);
      await expect.poll(cell.ran).toBe('ran\n');
      const recordFile = join(root, name, '.svc/remote-run-d0000001.json');
      await expect.poll(() => readFile(recordFile, 'utf8').catch(() => '')).toContain('build_id');
      await first.stop('SIGKILL');
      await firstRun;
      if (endsBefore) await letGo(cell.go);
      const second = await startServer(storage);
      try {
        const after = await opened(second, name);
        const running = after.notebook.execute('d0000001');
        if (!endsBefore) await letGo(cell.go);
        expect(await running).toMatchObject({
          status: 'ready',
          error: null,
          stdout: `done ${name}\n`,
          remote_worker: 'w',
          remote_build_id: expect.stringMatching(/build-|notebook-/),
        });
        expect(await cell.ran()).toBe('ran\n');
        expect(await readFile(recordFile, 'utf8').catch(() => 'gone')).toBe('gone');
      } finally {
        await second.dispose();
      }
    },
  );
});

describe('[BU-16] a server that was killed and restarted at its address', () => {
  it('accepts the delivery of the worker, and has the result after the worker has ended', async () => {
    const cell = cellOf('delivered');
    const storage = await mkdtemp(join(root, 'storage-'));
    const env = { SVC_WORKER_TOKEN: TOKEN, SVC_WORKER_ALLOWED_HOSTS: '127.0.0.1' };
    const mortal = await startWorkerProcess({ env });
    const first = await startServer(storage, await freePort());
    const before = await opened(first, 'delivered', [{ id: 'd0000001', source: cell.source }]);
    await rest(first.url, 'PUT', `${before.base}/workers`, workerAt(mortal.url, 'signed'));
    const firstRun = before.notebook.execute('d0000001').catch(() => null);
    await expect.poll(cell.ran).toBe('ran\n');
    const recordFile = join(root, 'delivered', '.svc/remote-run-d0000001.json');
    const recordText = (): Promise<string> => readFile(recordFile, 'utf8').catch(() => '');
    await expect.poll(recordText).toContain('build_id');
    const { build_id } = JSON.parse(await recordText()) as { build_id: string };
    await first.stop('SIGKILL');
    await firstRun;
    const second = await startServer(storage, first.port);
    try {
      await letGo(cell.go);
      const state = async () =>
        (await rest<{ state: string }>(second.url, 'GET', `/v1/builds/${build_id}`)).body.state;
      await expect.poll(state).toBe('ready');
      await mortal.stop('SIGKILL');
      const after = await opened(second, 'delivered');
      expect(await after.notebook.execute('d0000001')).toMatchObject({
        status: 'ready',
        error: null,
        stdout: 'done delivered\n',
        remote_build_id: build_id,
      });
      expect(await cell.ran()).toBe('ran\n');
    } finally {
      await second.dispose();
      await mortal.stop('SIGKILL');
    }
  });
});

describe('[BU-17] a server that is killed after a result arrived, before it is stored', () => {
  const STEPS = [
    ['signed', 'started'],
    ['direct', 'blobs_placed'],
    ['signed', 'committed'],
    ['signed', 'transaction_begun'],
    ['direct', 'started'],
  ] as const;
  // A delivery over the signed transport to a killed server is tested above.
  it.each(rowsOfRun(STEPS, ([, step]) => step === 'blobs_placed'))(
    '%s, at %s: the next server has the result, and the cell ran once',
    async (transport, step) => {
      const name = `kept-${transport}-${step}`;
      const cell = cellOf(name);
      // The cell ends immediately, so the record of the run must already be written.
      await letGo(cell.go);
      const storage = await mkdtemp(join(root, 'storage-'));
      const first = await startServer(storage, 0, { SVC_TEST_KILL_AT: step });
      const before = await opened(first, name, [{ id: 'd0000001', source: cell.source }]);
      await rest(first.url, 'PUT', `${before.base}/workers`, workerAt(worker.url, transport));
      await expect(before.notebook.execute('d0000001')).rejects.toThrow();
      await expect.poll(first.hasEnded).toBe(true);
      expect(await cell.ran()).toBe('ran\n');
      const second = await startServer(storage);
      try {
        const after = await opened(second, name);
        expect(await after.notebook.execute('d0000001')).toMatchObject({
          status: 'ready',
          error: null,
          stdout: `done ${name}\n`,
        });
        expect(await cell.ran()).toBe('ran\n');
      } finally {
        await second.dispose();
      }
    },
  );
});

describe('[BU-18] a server that is killed after a result is stored, before its worker is notified', () => {
  it.each(rowsOfRun(['signed', 'direct'], (transport) => transport === 'direct'))(
    '%s: a run without the cache runs the cell',
    async (transport) => {
      const name = `forced-${transport}`;
      const cell = cellOf(name);
      await letGo(cell.go);
      const storage = await mkdtemp(join(root, 'storage-'));
      const first = await startServer(storage, 0, { SVC_TEST_KILL_AT: 'committed' });
      const before = await opened(first, name, [{ id: 'd0000001', source: cell.source }]);
      await rest(first.url, 'PUT', `${before.base}/workers`, workerAt(worker.url, transport));
      await expect(before.notebook.execute('d0000001')).rejects.toThrow();
      await expect.poll(first.hasEnded).toBe(true);
      const second = await startServer(storage);
      try {
        const after = await opened(second, name);
        expect(await after.notebook.execute('d0000001')).toMatchObject({ status: 'ready' });
        expect(await cell.ran()).toBe('ran\n');
        expect(await after.notebook.execute('d0000001', 'force')).toMatchObject({ status: 'ready' });
        expect(await cell.ran()).toBe('ran\nran\n');
      } finally {
        await second.dispose();
      }
    },
  );
});

describe('[BU-14] a relay that is killed during a run', () => {
  it.each(rowsOfRun(['direct', 'signed'], (transport) => transport === 'signed'))(
    '%s: the server waits for the run, which runs once',
    async (transport) => {
      const name = `relay-${transport}`;
      const cell = cellOf(name);
      const server = await startServer(await mkdtemp(join(root, 'storage-')));
      try {
        const { notebook, base } = await opened(server, name, [{ id: 'd0000001', source: cell.source }]);
        const url = `http://127.0.0.1:${relayPort}/w/far`;
        await rest(server.url, 'PUT', `${base}/workers`, workerAt(url, transport));
        const running = notebook.execute('d0000001');
        await expect.poll(cell.ran).toBe('ran\n');
        await relay.stop('SIGKILL');
        relay = startRelay(relayPort);
        await relay.firstLine;
        await letGo(cell.go);
        expect(await running).toMatchObject({ status: 'ready', error: null, stdout: `done ${name}\n` });
        expect(await cell.ran()).toBe('ran\n');
      } finally {
        await server.dispose();
      }
    },
  );
});
