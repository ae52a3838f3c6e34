import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { workerEntry } from '../../../src-shared/wire/workers.ts';
import { createRemoteWorkers } from '../../exec/remote/remoteWorkers.ts';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import { whyNotRunnable } from '../reduce/stepRequest.ts';
import { createWorld } from '../testing/testWorld.ts';
import { viewCell } from '../view/view.ts';
import { workerCatalog } from '../view/workerCatalog.ts';
import { createWorkersView } from '../views/workersView.ts';
import { hintEffects, remoteWorkerOf, whyNoWorker } from './workers.ts';

const gpu: Worker = {
  name: 'gpu',
  backend: 'executor',
  runtime_id: null,
  config: { url: 'embedded://local', token: 'geheim', token_env: 'ABSENT', extra: null },
};

function stateWith(workers: readonly Worker[], workerNames: Record<string, string> = {}) {
  const { state } = createWorld({ a: 'x = 1', b: 'y = 2' });
  const before = state();
  const cells = new Map(before.cells);
  for (const [id, worker] of Object.entries(workerNames)) {
    const cell = cells.get(cellId(id));
    if (cell !== undefined) cells.set(cell.id, { ...cell, entry: { ...cell.entry, worker } });
  }
  return { ...before, file: { ...before.file, workers }, cells };
}

describe('[RW-11] the catalog', () => {
  it('lists the existing and the named workers, with every field and no token', async () => {
    const state = stateWith([gpu], { a: 'nobody' });
    const remote = createRemoteWorkers({ env: {} });
    const { workers, definitions_editable } = await workerCatalog(state, { remote, refresh: false });
    expect(definitions_editable).toBe(true);
    expect(workers.map((one) => [one.name, one.source, one.health, one.allowed, one.transport])).toEqual([
      ['local', 'builtin', 'healthy', true, 'local'],
      ['gpu', 'notebook', 'healthy', true, 'embedded'],
      ['nobody', 'referenced', 'unavailable', false, 'executor'],
    ]);
    for (const one of workers) expect(workerEntry.parse(one)).toEqual(one);
    expect(workers[1]?.config).toEqual({ url: 'embedded://local', token_env: 'ABSENT' });
    expect(workers[1]?.token_source).toBe('file');
    expect(JSON.stringify(workers)).not.toContain('geheim');
  });

  it('of a shared server has its own workers first, and refuses those of notebooks', async () => {
    const before = stateWith([gpu, { ...gpu, name: 'theirs' }]);
    const theirs = { ...gpu, name: 'theirs', enabled: false };
    const serverWorkers = { notebooksDefine: false, workers: [theirs] };
    const state = { ...before, options: { ...before.options, serverWorkers } };
    const remote = createRemoteWorkers({ env: {} });
    const { workers, definitions_editable } = await workerCatalog(state, { remote, refresh: false });
    expect(definitions_editable).toBe(false);
    expect(workers.map((one) => [one.name, one.source, one.allowed, one.enabled])).toEqual([
      ['local', 'builtin', true, true],
      ['theirs', 'server', false, false],
      ['gpu', 'notebook', false, true],
    ]);
  });
});

describe('[RW-33] a stored token is only sent to the address it was stored for', () => {
  const workerAt = (url: string): Worker => ({ ...gpu, config: { url } });
  const authorizations: (string | undefined)[] = [];
  const places: Server[] = [];
  afterEach(() => {
    for (const place of places.splice(0)) place.close();
    authorizations.length = 0;
  });

  async function place(): Promise<string> {
    const server = createServer(({ headers }, answer) => {
      authorizations.push(headers.authorization);
      const capabilities = { transform_refs: ['notebook_cell@v1'] };
      answer.end(JSON.stringify({ status: 'healthy', capabilities }));
    });
    places.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/execute`; // TCP
  }

  it('testing another address by its name does not reveal it', async () => {
    const [own, other] = [await place(), await place()];
    const view = createWorkersView(createRemoteWorkers({ env: {} }), () => stateWith([workerAt(own)]));
    view.keepToken('gpu', 'geheim');
    await view.try({ url: other, name: 'gpu', token: null });
    expect(authorizations).not.toContain('Bearer geheim');
    await view.try({ url: own, name: 'gpu', token: null });
    expect(authorizations).toContain('Bearer geheim');
  });

  it('a definition whose address changes does not get the token, and the token of a removed worker can be deleted', async () => {
    const remote = createRemoteWorkers({ env: {} });
    let workers: readonly Worker[] = [workerAt('http://gpu/v1/execute')];
    const view = createWorkersView(remote, () => stateWith(workers));
    view.keepToken('gpu', 'geheim');
    const { notebookId } = stateWith(workers);
    const resolved = (): string | null => remote.tokens.resolve(notebookId, workers[0] ?? gpu);
    expect(resolved()).toBe('geheim');
    workers = [workerAt('http://elsewhere/v1/execute')];
    expect([resolved(), remote.tokens.has(notebookId, workerAt('http://elsewhere/v1/execute'))]).toEqual([
      null,
      false,
    ]);
    workers = [];
    view.keepToken('gpu', null);
    workers = [workerAt('http://gpu/v1/execute')];
    expect(resolved()).toBeNull();
  });
});

describe('[RW-12] where a cell runs', () => {
  it.each([
    ['gpu', 'gpu', null],
    ['local', null, null],
    ['nobody', null, /^Execution failed: worker 'nobody' is unknown; /],
  ])('%s', (name, remote, message) => {
    const state = stateWith([gpu], { a: name });
    const cell = state.cells.get(cellId('a'));
    if (cell === undefined) throw new Error('no cell');
    expect(remoteWorkerOf(state, cell)?.name ?? null).toBe(remote);
    if (message === null) expect(whyNoWorker(state, cell)).toBeNull();
    else expect(whyNoWorker(state, cell)).toMatch(message);
  });

  it('[RW-9] each worker of several cells gets one hint', () => {
    const state = stateWith([gpu], { a: 'gpu', b: 'gpu' });
    const hints = hintEffects(state, state.cells.values(), 'run_all');
    expect(hints).toEqual([{ type: 'hint_worker', worker: gpu, reason: 'run_all' }]);
    expect(hintEffects(stateWith([]), state.cells.values(), 'run_all')).toEqual([]);
  });
});

it('[RW-20] a cell by embedded:// needs the Python of the notebook, one on another machine does not', () => {
  const far = { ...gpu, config: { url: 'http://127.0.0.1:9' } };
  const whyNot = (worker: Worker) => {
    const state = stateWith([worker], { a: 'gpu' });
    const { environment: before } = state.environment;
    const environment = { ...before, sync_state: 'failed' as const, sync_error: 'no Python' };
    const cell = state.cells.get(cellId('a'));
    if (cell === undefined) throw new Error('no cell');
    return whyNotRunnable(
      { ...state, environment: { ...state.environment, interpreter: null, environment } },
      cell,
    );
  };
  expect(whyNot(gpu)).toBe('No Python can run this notebook: no Python');
  expect(whyNot(far)).toBeNull();
});

describe('[RW-21] frames of a remote run', () => {
  it('contain the worker, its queue position, its start and its end', () => {
    const world = createWorld({ a: '# @worker gpu\nx = 1' }, { workers: [gpu] });
    world.send({ type: 'run_cell', cellId: cellId('a'), mode: 'normal', upstream: 'go' });
    const step = world.pending[0];
    if (step === undefined) throw new Error('nothing runs');
    expect(step.request).toMatchObject({ worker: { name: 'gpu' } });
    const remoteState = () => {
      const cell = world.state().cells.get(cellId('a'));
      if (cell === undefined) throw new Error('no cell');
      const { remote_worker, remote_transport, remote_build_state } = viewCell(world.state(), cell);
      return [remote_worker, remote_transport, remote_build_state];
    };
    // A client that connects during the run gets the same as the others.
    expect(remoteState()).toEqual(['gpu', 'embedded', null]);
    const progress = { buildId: 'notebook-1', state: 'starting', position: 2, detail: null } as const;
    world.report({ type: 'step_remote', runId: step.runId, cellId: cellId('a'), progress });
    const running = { ...progress, state: 'running' } as const;
    world.report({ type: 'step_remote', runId: step.runId, cellId: cellId('a'), progress: running });
    expect(remoteState()).toEqual(['gpu', 'embedded', 'running']);
    const remote = {
      worker: 'gpu',
      transport: 'embedded',
      buildId: 'notebook-1',
      buildState: 'running',
      errorCode: 'TIMEOUT',
    };
    const failed = {
      kind: 'failed',
      error: 'late',
      traceback: null,
      suggestInstall: null,
      stdout: '',
      stderr: '',
    } as const;
    world.step({ ...failed, method: 'error', durationMs: 1, remote });
    const payloads = world.frames.flatMap(({ frame }) =>
      frame.type === 'cell_status' || frame.type === 'cell_error' ? [frame.payload] : [],
    );
    const where = { remote_worker: 'gpu', remote_transport: 'embedded' };
    expect(payloads.slice(0, 4)).toMatchObject([
      { status: 'running', ...where },
      { status: 'running', ...where, remote_build_state: 'starting', remote_queue_position: 2 },
      { status: 'running', ...where, remote_build_state: 'running' },
      { ...where, remote_build_id: 'notebook-1', remote_error_code: 'TIMEOUT' },
    ]);
    expect(payloads[2]).not.toHaveProperty('remote_queue_position');
    expect(world.state().cells.get(cellId('a'))?.remote).toEqual(remote);
  });
});
