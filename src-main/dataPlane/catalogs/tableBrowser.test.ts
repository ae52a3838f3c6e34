import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSilentServer } from '../../../e2e/support/silentServer.ts';
import { PYTHON } from '../../iceberg/testing/pyiceberg.ts';
import { PlaneRefusal } from '../planeRefusal.ts';
import {
  openPlaneWorld,
  PERSON,
  type PlaneTables,
  type PlaneWorld,
  writePlaneTables,
} from '../testing/planeWorld.ts';
import type { TableBrowser } from './tableBrowser.ts';

const never = new AbortController().signal;
const ORDERS = { catalog: 'lake', namespace: 'ns', table: 'orders' };

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof PlaneRefusal ? `${error.status}: ${error.message}` : String(error);
}

describe.skipIf(PYTHON === undefined)('browsing an attached catalog', () => {
  let tables: PlaneTables;
  let world: PlaneWorld;
  let browser: TableBrowser;
  beforeAll(async () => {
    tables = await writePlaneTables();
    world = await openPlaneWorld({ planTimeoutSeconds: 20 });
    await world.plane.attached.attach('lake', { type: 'sql', warehouse: tables.folder });
    browser = await world.plane.tableBrowser();
  });
  afterAll(async () => {
    await world?.close();
    await tables?.remove();
  });

  it('[DP-93] lists namespaces and tables, and describes a table with its snapshots, newest first', async () => {
    expect(await browser.namespaces('lake', never)).toEqual(['ns']);
    expect(await browser.tables({ catalog: 'lake', namespace: 'ns' }, never)).toEqual(['empty', 'orders']);
    const table = await browser.describe(ORDERS, never);
    const [first = '', second = ''] = tables.snapshots;
    expect(table).toMatchObject({
      uri: 'lake:ns.orders',
      formatVersion: 2,
      currentSnapshotId: second,
      snapshotCount: 2,
      columns: [
        { name: 'id', type: 'long', required: false },
        { name: 'city', type: 'string', required: false },
        { name: 'price', type: 'double', required: false },
      ],
      snapshots: [
        { id: second, parentId: first, operation: 'append', addedRows: '5', totalRows: '15' },
        { id: first, parentId: null, operation: 'append', addedRows: '10', totalRows: '10' },
      ],
    });
    expect(await browser.describe({ ...ORDERS, table: 'empty' }, never)).toMatchObject({
      currentSnapshotId: null,
      snapshots: [],
    });
  });

  it('[DP-93] returns the first rows of the current snapshot, and of an earlier one', async () => {
    const now = await browser.sample(ORDERS, null, never);
    expect(now.columns).toEqual([
      { name: 'id', type: 'int64' },
      { name: 'city', type: 'string' },
      { name: 'price', type: 'double' },
    ]);
    expect(now.rows).toHaveLength(15);
    expect(now.rows).toContainEqual([4, null, 2]);
    const before = await browser.sample(ORDERS, BigInt(tables.snapshots[0] ?? '0'), never);
    expect(before.rows.map(([id]) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await browser.sample({ ...ORDERS, table: 'empty' }, null, never)).rows).toEqual([]);
  });

  it('[DP-94] a table of an attached catalog is scanned by its name, and by @table without a pin', async () => {
    const [, snapshot] = tables.snapshots;
    expect(await world.plane.catalogs.currentSnapshot('lake:ns.orders', never)).toEqual({
      kind: 'snapshot',
      id: snapshot,
    });
    const { stream_id: stream } = await world.materialize(['lake:ns.orders'], 'scan@v1', {});
    expect(await world.rows(stream, PERSON)).toHaveLength(15);
    await world.plane.attached.detach('lake');
    expect(await world.plane.catalogs.currentSnapshot('lake:ns.orders', never)).toMatchObject({
      problem: expect.stringContaining('There is no catalog "lake". Attach it in the Data panel'),
    });
    await world.plane.attached.attach('lake', { type: 'sql', warehouse: tables.folder });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a missing folder',
      { warehouse: '/nowhere/at/all' },
      '404: There is no warehouse folder /nowhere/at/all.',
    ],
    ['an unsupported kind', { type: 'hive', uri: 'thrift://h' }, '400: The catalog "bad" has the type hive'],
    [
      'an unreachable catalog',
      { uri: 'http://127.0.0.1:9' },
      '503: The REST catalog cannot be used: it cannot be',
    ],
  ])('[DP-95] %s is reported in a sentence', async (_name, properties, sentence) => {
    await world.plane.attached.attach('bad', properties);
    expect(await refusalOf(browser.namespaces('bad', never))).toContain(sentence);
  });

  it('[DP-95] if the database has the catalog under another name, the error names it', async () => {
    await world.plane.attached.attach('lake2', { uri: `sqlite:///${tables.folder}/catalog.db` });
    expect(await refusalOf(browser.namespaces('lake2', never))).toBe(
      '404: The database has no catalog "lake2", but "svc". A catalog must have the name that its writer gave it.',
    );
  });

  it('[DP-95] a catalog that hangs times out, and answers a later request', async () => {
    const silent = await startSilentServer();
    const short = await openPlaneWorld({ planTimeoutSeconds: 0.2 });
    try {
      await short.plane.attached.attach('slow', { uri: silent.url });
      const slow = await short.plane.tableBrowser();
      expect(await refusalOf(slow.namespaces('slow', never))).toBe(
        '504: Listing the namespaces took longer than 0.2 seconds. The catalog or the storage may be down; try again later.',
      );
    } finally {
      await short.close();
      silent.close();
    }
    expect(await browser.namespaces('lake', never)).toEqual(['ns']);
  });

  it('[DP-95] a missing data file is named, and the columns are still shown', async () => {
    const data = join(tables.folder, 'ns', 'orders', 'data');
    for (const file of await readdir(data)) await rm(join(data, file));
    expect(await refusalOf(browser.sample(ORDERS, null, never))).toMatch(
      /^422: .*\.parquet cannot be read: /,
    );
    expect((await browser.describe(ORDERS, never)).columns).toHaveLength(3);
  });
});
