import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collected, rowsOf } from '../iceberg/testing/arrowRows.ts';
import { PYTHON } from '../iceberg/testing/pyiceberg.ts';
import {
  openPlaneWorld,
  PERSON,
  type PlaneWorld,
  type SharedTables,
  sharedPlaneTables,
  writePlaneTables,
} from './testing/planeWorld.ts';

const never = new AbortController().signal;

describe.skipIf(PYTHON === undefined)('scans that are not stored', () => {
  let tables: SharedTables;
  let world: PlaneWorld;
  beforeAll(async () => {
    tables = await sharedPlaneTables();
    world = await openPlaneWorld();
  });
  afterAll(async () => {
    await world.close();
  });
  const pieces = (params: object, { where = world, table = 'orders', signal = never } = {}) =>
    where.plane.scan({ table: tables.uri(table), ...params }, PERSON, signal);
  const rows = async (...asked: Parameters<typeof pieces>) => rowsOf(await collected(await pieces(...asked)));
  const withWorld = async (
    config: Parameters<typeof openPlaneWorld>[0],
    work: (other: PlaneWorld) => Promise<void>,
    options: Parameters<typeof openPlaneWorld>[1] = {},
  ): Promise<void> => {
    const other = await openPlaneWorld(config, options);
    try {
      await work(other);
    } finally {
      await other.close();
    }
  };

  it.each<readonly [string, object, readonly string[]]>([
    [
      'its columns and filters',
      { columns: ['id'], filters: [{ column: 'id', op: '>', value: 12 }] },
      ['id=13', 'id=14'],
    ],
    [
      'a filter of another column',
      { columns: ['id'], filters: [{ column: 'city', op: '=', value: 'Bonn' }] },
      ['id=1', 'id=10', 'id=13', 'id=7'],
    ],
    ['no row', { columns: ['id'], filters: [{ column: 'id', op: '<', value: 0 }] }, []],
  ])('[DP-59] give %s and store nothing', async (_what, params, expected) => {
    expect(await rows(params)).toEqual(expected);
    const { total_versions } = (await world.registry.open()).stats(null);
    expect(total_versions).toBe(0);
  });

  it('[DP-59] read an older snapshot, a table without rows, and work without a store', async () => {
    const old = { columns: ['id'], snapshot_id: BigInt(tables.snapshots[0] ?? '') };
    expect(await rows(old)).toHaveLength(10);
    expect(await rows({}, { table: 'empty' })).toEqual([]);
    await withWorld({}, async (where) => expect(await rows({}, { where })).toHaveLength(15), {
      hasStore: false,
    });
  });

  it.each<readonly [string, object, number]>([
    ['an artifact', { table: 'svc://artifact/x@v=1' }, 400],
    ['a text that is not a table', { table: 'orders' }, 400],
    ['a column that is missing', { columns: ['none'] }, 400],
    ['an unknown operator', { filters: [{ column: 'id', op: 'in', value: 1 }] }, 400],
    ['an unknown parameter', { limit: 3 }, 400],
    ['an unknown snapshot', { snapshot_id: 3 }, 404],
  ])('[DP-60] %s is refused', async (_what, params, status) => {
    await expect(pieces(params)).rejects.toMatchObject({ name: 'PlaneRefusal', status });
  });

  it.each<readonly [string, Parameters<typeof openPlaneWorld>[0], number]>([
    ['row groups', { maxTasksPerScan: 4 }, 400],
    ['bytes', { maxResponseBytes: 10 }, 413],
  ])('[DP-60] the plan is limited in %s', async (_what, config, status) => {
    await withWorld(config, async (where) => {
      await expect(pieces({}, { where })).rejects.toMatchObject({ status });
    });
  });

  it('[DP-61] the turn ends when a client has read all rows, and when it leaves', async () => {
    const config = { interactiveSlots: 1, interactiveQueueTimeout: 0.01 };
    await withWorld(config, async (where) => {
      const first = await pieces({ columns: ['id'] }, { where });
      await expect(pieces({ columns: ['id'] }, { where })).rejects.toMatchObject({
        status: 429,
        body: { error: 'too_many_requests', tier: 'interactive' },
      });
      await first[Symbol.asyncIterator]().return?.();
      expect(await rows({ columns: ['id'] }, { where })).toHaveLength(15);
      expect(await rows({ columns: ['id'] }, { where })).toHaveLength(15);
    });
  });

  it('[DP-61] a promised stream that got no turn may be fetched again, and is read once', async () => {
    const config = { interactiveSlots: 1, interactiveQueueTimeout: 0.01 };
    await withWorld(
      config,
      async (where) => {
        const reply = await where.materialize([tables.uri('orders')], 'scan@v1', { columns: ['id'] });
        const other = await pieces({ columns: ['id'] }, { where });
        await expect(where.rows(reply.stream_id)).rejects.toMatchObject({ status: 429 });
        await other[Symbol.asyncIterator]().return?.();
        expect(await where.rows(reply.stream_id)).toHaveLength(15);
        await expect(where.rows(reply.stream_id)).rejects.toMatchObject({ status: 404 });
      },
      { hasStore: false },
    );
  });

  it('[DP-61] closing the server ends streams that are still being read', async () => {
    const other = await openPlaneWorld();
    const reading = (await pieces({}, { where: other }))[Symbol.asyncIterator]();
    await reading.next();
    await other.close();
    const rest = async (): Promise<void> => {
      while ((await reading.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ status: 503 });
    await expect(pieces({}, { where: other })).rejects.toMatchObject({ status: 503 });
  });

  it('[DP-62] a missing file is reported as a status, and the turn ends', async () => {
    const damaged = await writePlaneTables();
    const config = { bulkSlots: 1, bulkQueueTimeout: 0.01 };
    await withWorld(config, async ({ plane }) => {
      const data = join(damaged.folder, 'ns/orders/data');
      for (const name of readdirSync(data)) rmSync(join(data, name));
      for (let i = 0; i < 2; i++) {
        await expect(plane.scan({ table: damaged.uri('orders') }, PERSON, never)).rejects.toMatchObject({
          status: 422,
        });
      }
    });
    await damaged.remove();
  });
});
