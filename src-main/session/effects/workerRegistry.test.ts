import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import {
  createStoredWorkers,
  createStoredWorkersInMemory,
  type StoredWorkers,
} from '../../artifacts/storedWorkers.ts';
import { createRemoteWorkers } from '../../exec/remote/remoteWorkers.ts';
import type { ServerWorker } from '../../notebook/workers.ts';
import { createWorld } from '../testing/testWorld.ts';
import { openWorkerRegistry, withChanged, withoutWorker, withWorker } from './workerRegistry.ts';

const root = mkdtempSync(join(tmpdir(), 'worker-registry-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const worker = (name: string, more: Partial<ServerWorker> = {}): ServerWorker => ({
  name,
  backend: 'executor',
  runtime_id: null,
  config: { url: 'embedded://local', token: 'geheim', rack: 7 },
  enabled: true,
  ...more,
});
const [a, b] = [worker('a'), worker('b')];

function open(stored: StoredWorkers, configured: readonly ServerWorker[] = []) {
  const logged: unknown[] = [];
  const log = { error: (...words: unknown[]) => void logged.push(words) };
  const remote = createRemoteWorkers({ env: {} });
  const opened = openWorkerRegistry({
    kept: stored,
    configured,
    notebooksDefine: true,
    remote,
    log: log as never,
  }); // the methods it calls
  return opened.then((registry) => ({ registry, logged }));
}

const places: readonly (readonly [string, () => StoredWorkers])[] = [
  ['a database', () => createStoredWorkers(mkdtempSync(join(root, 'kept-')))],
  ['memory', () => createStoredWorkersInMemory()],
];

describe.each(places)('[RW-28] the list in %s', (_name, place) => {
  it('is the configured one until it is set, and then keeps the set value', async () => {
    const stored = place();
    const { registry } = await open(stored, [a]);
    expect(registry.offered()).toEqual({ notebooksDefine: true, workers: [a] });
    await registry.edit((before) => withWorker(before, b));
    expect((await open(stored, [a])).registry.offered().workers).toEqual([a, b]);
    await registry.edit(() => []);
    expect((await open(stored, [a])).registry.offered().workers).toEqual([]);
  });

  it('merges concurrent writes of two servers, and each reads the other’s changes', async () => {
    const stored = place();
    const [one, other] = [(await open(stored)).registry, (await open(stored)).registry];
    let changes = 0;
    one.onChange(() => {
      changes += 1;
    });
    const names = Array.from({ length: 12 }, (_none, at) => `w${at}`);
    await Promise.all(
      names.map((name, at) => (at % 2 ? one : other).edit((before) => withWorker(before, worker(name)))),
    );
    await Promise.all([one.reload(), other.reload()]);
    expect(
      one
        .offered()
        .workers.map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
    expect(other.offered()).toEqual(one.offered());
    const before = [changes, one.offered()];
    await one.reload();
    expect([changes, one.offered()]).toEqual(before);
    expect(one.offered()).toBe(before[1]);
  });

  it('is not changed by an edit that is refused', async () => {
    const { registry } = await open(place(), [a]);
    await expect(registry.edit(() => [a, a])).rejects.toMatchObject({ code: 'bad_request' });
    await expect(registry.edit((before) => withoutWorker(before, 'c'))).rejects.toBeInstanceOf(AppError);
    expect(registry.offered().workers).toEqual([a]);
  });
});

describe('[RW-28] edits', () => {
  const list = [a, b];
  it.each<readonly [string, () => readonly ServerWorker[], readonly ServerWorker[] | string]>([
    ['add', () => withWorker([a], b), list],
    ['add one that exists', () => withWorker(list, a), 'conflict'],
    [
      'change in place',
      () => withChanged(list, 'a', (one) => ({ ...one, enabled: false })),
      [{ ...a, enabled: false }, b],
    ],
    ['rename', () => withChanged(list, 'a', () => worker('c')), [worker('c'), b]],
    ['rename to an existing one', () => withChanged(list, 'a', () => b), 'conflict'],
    ['change an unknown worker', () => withChanged(list, 'c', (one) => one), 'not_found'],
    ['remove', () => withoutWorker(list, 'a'), [b]],
    ['remove an unknown worker', () => withoutWorker(list, 'c'), 'not_found'],
  ])('%s', (_name, edit, expected) => {
    if (typeof expected !== 'string') return expect(edit()).toEqual(expected);
    expect(edit).toThrow(expect.objectContaining({ code: expected }));
  });
});

it('[RW-28] a list that cannot be read is logged, and the configured one is offered', async () => {
  const { registry, logged } = await open(createStoredWorkersInMemory('nonsense'), [a]);
  expect([registry.offered().workers, logged.length]).toEqual([[a], 1]);
});

it('[RW-28] the catalog of the list has the built-in worker and each worker’s health, but no token', async () => {
  const { registry } = await open(createStoredWorkersInMemory([a, worker('b', { enabled: false })]));
  const catalog = await registry.catalog({ refresh: false });
  expect(
    catalog.map(({ name, source, enabled, token_source }) => [name, source, enabled, token_source]),
  ).toEqual([
    ['local', 'builtin', true, undefined],
    ['a', 'server', true, 'file'],
    ['b', 'server', false, 'file'],
  ]);
  expect(JSON.stringify(catalog)).not.toContain('geheim');
  expect(catalog[1]?.config).toEqual({ url: 'embedded://local', rack: 7 });
  await expect(registry.ask('nobody')).rejects.toMatchObject({ code: 'not_found' });
});

it('[RW-28] an open notebook follows the list: it decides where a cell runs, and so the key of the cell', () => {
  const world = createWorld({ a: '# @worker a\nx = 1' });
  const status = () => world.state().cells.get(cellId('a'))?.status;
  world.report({ type: 'server_workers_changed', workers: { notebooksDefine: true, workers: [a] } });
  world.send({ type: 'run_cell', cellId: cellId('a'), mode: 'normal', upstream: 'go' });
  expect(world.pending[0]?.request).toMatchObject({ worker: { name: 'a' } });
  world.settle();
  expect(status()).toBe('ready');
  const elsewhere = worker('a', { runtime_id: 'another-machine' });
  world.report({ type: 'server_workers_changed', workers: { notebooksDefine: true, workers: [elsewhere] } });
  expect(status()).not.toBe('ready');
  world.report({ type: 'server_workers_changed', workers: { notebooksDefine: true, workers: [a] } });
  expect(status()).toBe('ready');
});
