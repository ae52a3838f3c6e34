/**
 * Settings of the data plane whose effect shows only in concurrency or in the location of files: parallel
 * fetches and scans, cache folders.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../config/variables.ts';
import { ipcStream } from '../iceberg/read/ipcStream.ts';
import { collected, rowsOf } from '../iceberg/testing/arrowRows.ts';
import { PYTHON } from '../iceberg/testing/pyiceberg.ts';
import { NO_WAREHOUSES } from '../iceberg/testing/scanned.ts';
import { cachedScan } from './cache/cachedScan.ts';
import { createTables } from './tableVersion.ts';
import {
  openPlaneWorld,
  PERSON,
  type PlaneTables,
  type PlaneWorld,
  writePlaneTables,
} from './testing/planeWorld.ts';

const never = new AbortController().signal;

describe.skipIf(PYTHON === undefined)('limits of the whole server', () => {
  let tables: PlaneTables;
  beforeAll(async () => {
    tables = await writePlaneTables();
  });
  afterAll(() => tables?.remove());
  const withWorld = async (
    config: Partial<Config>,
    work: (world: PlaneWorld) => Promise<void>,
  ): Promise<void> => {
    const world = await openPlaneWorld(config);
    try {
      await work(world);
    } finally {
      await world.close();
    }
  };
  const scan = ({ plane }: PlaneWorld) => plane.scan({ table: tables.uri('orders') }, PERSON, never);

  it.each<[string, Partial<Config>, number]>([
    ['the defaults', {}, 2],
    ['SVC_FETCH_PARALLELISM=1', { fetchParallelism: 1 }, 1],
    ['SVC_MAX_FETCH_WORKERS=1', { maxFetchWorkers: 1 }, 1],
  ])(
    '[DP-98] the number of files of a scan that are fetched at the same time is limited by %s',
    async (_name, config, most) => {
      await withWorld(config, async (world) => {
        // From here on the footers of both files are known, and a fetch reads only its file.
        for await (const _piece of await scan(world));
        const reader = createTables(
          { defaultCatalog: 'default', current: async () => NO_WAREHOUSES },
          { planSeconds: 60, equalityDeleteRows: 1000, positionDeleteRows: 1000 },
        );
        const pinned = await reader.pin(tables.uri('orders'), null, never);
        const plan = await reader.plan(pinned, { columns: ['id'], filters: [], snapshotId: null }, never);
        const { files } = pinned.table;
        let [now, highest, started] = [0, 0, 0];
        let open = (): void => undefined;
        const opened = new Promise<void>((resolve) => {
          open = resolve;
        });
        const counting = {
          ...files,
          read: files.read.bind(files),
          local: async (...asked: Parameters<typeof files.local>) => {
            started += 1;
            now += 1;
            highest = Math.max(highest, now);
            await opened;
            const local = await files.local(...asked);
            return {
              ...local,
              release: () => {
                now -= 1;
                return local.release();
              },
            };
          },
        };
        const { reading } = await world.plane.cachePlane();
        const owner = { tenant: '', identity: pinned.table.uri.identity };
        const rows = collected(
          ipcStream(cachedScan(plan, owner, { ...reading, files: counting, signal: never })),
        );
        await expect.poll(() => started).toBe(most);
        open();
        expect(rowsOf(await rows)).toHaveLength(15);
        expect([started, highest]).toEqual([2, most]);
        await pinned.table.close();
      });
    },
  );

  it.each<[number, readonly string[]]>([
    [2, ['second', 'first']],
    [1, ['first', 'second']],
  ])('[DP-98] with SVC_MAX_CONCURRENT_SCANS=%s the scans end in the order %j', async (most, ends) => {
    await withWorld({ maxConcurrentScans: most }, async (world) => {
      // Its rows are read later; it occupies a slot until then.
      const first = await scan(world);
      const order: string[] = [];
      const second = scan(world).then(async (pieces) => {
        for await (const _piece of pieces);
        order.push('second');
      });
      if (most > 1) await second;
      for await (const _piece of first);
      order.push('first');
      await second;
      expect(order).toEqual(ends);
    });
  });

  it('[DP-103] SVC_CACHE_DIR names the folder of cached row groups', async () => {
    const cacheDir = join(tables.folder, 'elsewhere', 'cache');
    await withWorld({ cacheDir }, async (world) => {
      for await (const _piece of await scan(world));
      const entries = readdirSync(cacheDir, { recursive: true, encoding: 'utf8' });
      expect(entries.filter((name) => name.endsWith('.arrowstream'))).toHaveLength(5);
      expect(existsSync(join(world.dir, 'cache'))).toBe(false);
    });
  });

  it('[DP-98] SVC_METADATA_DB names the database of the footers of data files', async () => {
    const metadataDb = join(tables.folder, 'elsewhere', 'footers.sqlite');
    await withWorld({ metadataDb }, async (world) => {
      for await (const _piece of await scan(world));
      expect(existsSync(metadataDb)).toBe(true);
      const { footers } = await world.plane.cachePlane();
      expect((await footers.stats()).metadata_store).toEqual({ entries: 2 });
    });
  });
});
