import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAnnotations } from '../../src-shared/notebook/annotations.ts';
import { notebookFolder } from '../notebook/folder/notebookFolder.ts';
import type { PreparedData } from './dataAccess.ts';
import { type DataFact, dataItemsOf, provenanceLine } from './dataItem.ts';
import { createNotebookData } from './notebookData.ts';
import { createFakeRegistry } from './testing/fakeRegistry.ts';

let dir = notebookFolder('');
beforeAll(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'data-')));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const never = new AbortController().signal;
const NO_MOUNTS = { notebook: [], cell: [] };
const SALES = { id: 'sales', version: 3, contentType: 'arrow/ipc', file: '/store/sales.arrow' };
const fakeRegistry = createFakeRegistry({
  datasets: {
    'sales@prod': SALES,
    'model@v=2': { ...SALES, contentType: 'application/x', file: '/store/m' },
  },
  tables: { 'w#ns.t': '7731075476314307514', 'ns.empty': null },
});

/** Checks the data that the annotations name and prepares it, like a run; returns its provenance lines too. */
async function use(
  source: string,
  registry: typeof fakeRegistry | null,
): Promise<{ lines: string[]; prepared: PreparedData }> {
  const data = createNotebookData({
    notebookDir: dir,
    fetchRules: { privateAllowed: true, allowedHosts: [] },
    open: () => Promise.reject(new Error('no store is opened here')),
    credentials: { named: null, byScheme: null, notebookEnv: () => ({}), serverEnv: {} },
    ...(registry === null ? {} : { registry, catalogs: registry }),
  });
  const items = dataItemsOf(NO_MOUNTS, parseAnnotations(source, 'python'));
  const checked = items.filter(({ fixed }) => fixed === null);
  const facts = await data.check(checked, { purpose: 'run', signal: never });
  const byKey = new Map<string, DataFact>(facts.map((fact) => [fact.key, fact]));
  const uses = items.map((item) => ({ item, fact: byKey.get(item.key) ?? null }));
  const prepared = await data.prepare(uses, { scratchDir: dir, signal: never });
  return { lines: items.map((item) => provenanceLine(item, byKey.get(item.key), ':r')), prepared };
}

describe('a dataset', () => {
  it('[MT-31] is a value if it is one, else a path, and its version is in the provenance', async () => {
    const { lines, prepared } = await use('# @dataset d sales@prod\n# @dataset m model@v=2', fakeRegistry);
    expect(lines).toEqual(['d:dataset:sales@prod:sales@v=3', 'm:dataset:model@v=2:sales@v=3']);
    expect(prepared).toMatchObject({
      kind: 'ready',
      inputs: { d: { content_type: 'arrow/ipc', file: '/store/sales.arrow' } },
      mounts: { m: { local_path: '/store/m', mode: 'ro' } },
      versions: { 'svc://name/sales@prod': 'sales@v=3' },
    });
  });

  it('[MT-31] fails its cell with a message if it is unknown, or cannot be looked up', async () => {
    const unknown = await use('# @dataset d other', fakeRegistry);
    expect(unknown.lines).toEqual(['d:dataset:other:unresolved:r']);
    expect(unknown.prepared).toEqual({
      kind: 'failed',
      message: 'The @dataset `d` cannot be used. There is no dataset "other".',
    });
    expect((await use('# @dataset d sales', null)).prepared).toEqual({
      kind: 'failed',
      message:
        'The @dataset `d` cannot be used. This server has no dataset registry, so "sales" cannot be found.',
    });
  });
});

it('[MT-33] a catalog is queried before every run, and for a status at most once a minute', async () => {
  let nowMs = 1_000_000;
  let snapshot = 1;
  const data = createNotebookData({
    notebookDir: dir,
    fetchRules: { privateAllowed: true, allowedHosts: [] },
    open: () => Promise.reject(new Error('no store is opened here')),
    credentials: { named: null, byScheme: null, notebookEnv: () => ({}), serverEnv: {} },
    now: () => nowMs,
    catalogs: { currentSnapshot: async () => ({ kind: 'snapshot', id: String(snapshot) }) },
  });
  const items = dataItemsOf(NO_MOUNTS, parseAnnotations('# @table t ns.t', 'python'));
  const look = async (purpose: 'run' | 'status') =>
    (await data.check(items, { purpose, signal: never })).map(({ token }) => token).join();
  expect(await look('status')).toBe('1');
  snapshot = 2;
  nowMs += 59_000;
  expect(await look('status')).toBe('1');
  expect(await look('run')).toBe('2');
  snapshot = 3;
  nowMs += 60_000;
  expect(await look('status')).toBe('3');
});

it('[MT-33] a registry is queried before every run, and for a status at most once a minute', async () => {
  let nowMs = 1_000_000;
  let version = 3;
  const requests: string[] = [];
  const data = createNotebookData({
    notebookDir: dir,
    fetchRules: { privateAllowed: true, allowedHosts: [] },
    open: () => Promise.reject(new Error('no store is opened here')),
    credentials: { named: null, byScheme: null, notebookEnv: () => ({}), serverEnv: {} },
    now: () => nowMs,
    registry: {
      resolve: async (reference) => {
        requests.push(reference);
        return { kind: 'found', dataset: { ...SALES, version } };
      },
    },
  });
  const items = dataItemsOf(NO_MOUNTS, parseAnnotations('# @dataset d sales', 'python'));
  const look = async (purpose: 'run' | 'status') =>
    (await data.check(items, { purpose, signal: never })).map(({ token }) => token).join();
  expect(await look('status')).toBe('sales@v=3');
  version = 4;
  nowMs += 59_000;
  expect(await look('status')).toBe('sales@v=3');
  expect(requests.length).toBe(1);
  expect(await look('run')).toBe('sales@v=4');
  expect(await look('status')).toBe('sales@v=4');
  expect(requests.length).toBe(2);
  version = 5;
  nowMs += 60_000;
  expect(await look('status')).toBe('sales@v=5');
});

describe('a table', () => {
  it('[MT-32] uses its pin without a catalog, and the current snapshot with one, to the last digit', async () => {
    const pinned = await use('# @table t w#ns.t snapshot=42', null);
    expect(pinned.lines).toEqual(['t:table:w#ns.t:42']);
    expect(pinned.prepared).toMatchObject({ tables: { t: { uri: 'w#ns.t', snapshot_id: 42 } } });
    const current = await use('# @table t w#ns.t', fakeRegistry);
    expect(current.lines).toEqual(['t:table:w#ns.t:7731075476314307514']);
    expect(current.prepared).toMatchObject({ tables: { t: { snapshot_id: '7731075476314307514' } } });
  });

  it('[MT-32] without snapshots is None and never equal to itself; unpinned without a catalog it fails with a message', async () => {
    const empty = await use('# @table t ns.empty', fakeRegistry);
    expect(empty.lines).toEqual(['t:table:ns.empty:unresolved:r']);
    expect(empty.prepared).toMatchObject({ tables: { t: { uri: 'ns.empty', snapshot_id: null } } });
    expect((await use('# @table t ns.t', null)).prepared).toEqual({
      kind: 'failed',
      message:
        'The @table `t` cannot be used. The newest snapshot of ns.t is unknown, because this server has no catalogs. Pin a snapshot with snapshot=<id>.',
    });
  });

  it('[MT-32] two tables with the same name fail the run', async () => {
    expect((await use('# @table t ns.a snapshot=1\n# @table t ns.b snapshot=2', null)).prepared).toEqual({
      kind: 'failed',
      message: 'The @table `t` cannot be used. Two @table lines use the same name.',
    });
  });
});
