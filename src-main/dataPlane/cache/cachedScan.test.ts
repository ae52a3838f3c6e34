import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ScanFilter } from '../../iceberg/plan/filters.ts';
import { ipcStream } from '../../iceberg/read/ipcStream.ts';
import { collected, rowsOf } from '../../iceberg/testing/arrowRows.ts';
import { PYTHON, writtenBy } from '../../iceberg/testing/pyiceberg.ts';
import { createTables, type Tables } from '../tableVersion.ts';
import {
  type CachedRead,
  cacheCounts,
  entryFiles,
  IDS as ids,
  readCached,
  TABLE_LIMITS,
  WAREHOUSES,
  withWorld,
} from '../testing/cachedReads.ts';
import {
  openPlaneWorld,
  PERSON,
  type PlaneWorld,
  type SharedTables,
  sharedPlaneTables,
} from '../testing/planeWorld.ts';
import { cachedScan } from './cachedScan.ts';

const never = new AbortController().signal;

describe.skipIf(PYTHON === undefined)('the row-group cache', () => {
  let tables: SharedTables;
  let reader: Tables;
  beforeAll(async () => {
    tables = await sharedPlaneTables();
    reader = createTables(WAREHOUSES, TABLE_LIMITS);
  });
  const read = (world: PlaneWorld, what?: CachedRead): Promise<readonly string[]> =>
    readCached(world, reader, tables, what);

  it('[DP-21] a scan fetches each row group once, and others with its columns read from the cache', () =>
    withWorld({}, async (world) => {
      expect(await read(world)).toEqual(ids);
      expect(await cacheCounts(world)).toBe('0 hits, 5 misses');
      expect(await read(world)).toEqual(ids);
      expect(await cacheCounts(world)).toBe('5 hits, 5 misses');
      // Conditions are applied to what is cached; their columns are part of the entry.
      expect(await read(world, { over: 6 })).toEqual(['id=13', 'id=14']);
      expect(await read(world, { over: 6.5 })).toEqual(['id=14']);
      const entries = await (await world.plane.cachePlane()).cache.entries();
      expect(entries[0]?.meta).toMatchObject({
        table_id: 'svc.ns.orders',
        snapshot_id: tables.snapshots.at(-1),
        row_group_id: 0,
        columns: ['id'],
        num_rows: 4,
      });
      expect(entryFiles(world)[0]).toMatch(
        /^3bf30573\/([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{60}\.arrowstream$/,
      );
    }));

  it('[DP-79] a scan with conditions fetches only the row groups that may have a matching row', () =>
    withWorld({}, async (world) => {
      expect(await read(world, { over: 6 })).toEqual(['id=13', 'id=14']);
      const [, misses] = /hits, (\d) misses/.exec(await cacheCounts(world)) ?? [];
      expect(Number(misses)).toBeLessThan(3);
      // The others are fetched when a scan needs them.
      expect(await read(world, { over: -1 })).toEqual(ids);
      expect(await cacheCounts(world)).toBe(`${misses} hits, 5 misses`);
    }));

  it('[DP-22] concurrent scans fetch a row group once', () =>
    withWorld({}, async (world) => {
      const all = await Promise.all(Array.from({ length: 6 }, () => read(world)));
      for (const rows of all) expect(rows).toEqual(ids);
      expect(await cacheCounts(world)).toBe('25 hits, 5 misses');
      expect(entryFiles(world)).toHaveLength(5);
    }));

  it('[DP-23] tenants share no entries', () =>
    withWorld({}, async (world) => {
      await read(world, { tenant: 'acme' });
      await read(world, { tenant: 'other' });
      expect(await cacheCounts(world)).toBe('0 hits, 10 misses');
      expect(new Set(entryFiles(world).map((name) => name.split('/')[0])).size).toBe(2);
    }));

  it('[DP-24] an entry that is truncated, damaged or without its description is fetched again', () =>
    withWorld({}, async (world) => {
      await read(world);
      const [cut, torn, alien] = entryFiles(world).map((name) => join(world.dir, 'cache/v4', name));
      truncateSync(cut ?? '', statSync(cut ?? '').size - 4);
      writeFileSync(torn ?? '', Buffer.alloc(statSync(torn ?? '').size));
      writeFileSync((alien ?? '').replace('.arrowstream', '.meta.json'), '{');
      expect(await read(world)).toEqual(ids);
      expect(await cacheCounts(world)).toBe('2 hits, 8 misses');
      expect(await read(world)).toEqual(ids);
    }));

  it.each<[string, number, string]>([
    ['above', 1, 'a cache entry ended early'],
    ['below', 1e6, '15 rows'],
  ])(
    '[DP-102] an entry %s SVC_MMAP_MIN_BYTES is read batch by batch, or as a whole',
    async (_where, mmapMinBytes, outcome) =>
      withWorld({ mmapMinBytes, batchSize: 2 }, async (world) => {
        await read(world);
        const pinned = await reader.pin(tables.uri('orders'), null, never);
        // With a condition batches are read; without one the bytes are sent unchanged.
        const filters = [{ column: 'id', op: '>=', value: 0 } as const];
        const plan = await reader.plan(pinned, { columns: ['id'], filters, snapshotId: null }, never);
        const owner = { tenant: '', identity: pinned.table.uri.identity };
        const { reading } = await world.plane.cachePlane();
        const { files } = pinned.table;
        const { batches } = cachedScan(plan, owner, { ...reading, files, signal: never });
        let rows = 0;
        const rowsRead = (async () => {
          for await (const batch of batches) {
            // What is already in memory no longer needs the files.
            if (rows === 0)
              for (const name of entryFiles(world)) truncateSync(join(world.dir, 'cache/v4', name), 400);
            rows += batch.numRows;
            if (rows === 4 && mmapMinBytes > 1) break;
          }
          return rows;
        })();
        const actual = await rowsRead.then(
          (count) => (count === 4 ? '15 rows' : `${count} rows`),
          (error: Error) => error.message,
        );
        expect(actual).toBe(outcome);
        await pinned.table.close();
      }),
  );

  it('[DP-109] entries with the columns of the scan are sent as they are stored, other entries are not', () =>
    withWorld({}, async (world) => {
      const sent = async (columns: readonly string[], filters: readonly ScanFilter[] = []) => {
        const pinned = await reader.pin(tables.uri('orders'), null, never);
        const plan = await reader.plan(pinned, { columns, filters, snapshotId: null }, never);
        const owner = { tenant: '', identity: pinned.table.uri.identity };
        const { reading } = await world.plane.cachePlane();
        const { files } = pinned.table;
        const { batches } = cachedScan(plan, owner, { ...reading, files, signal: never });
        const kinds = new Set<string>();
        for await (const batch of batches) kinds.add('bytes' in batch ? 'stored' : 'made');
        await pinned.table.close();
        return [...kinds];
      };
      expect(await sent(['id', 'city'])).toEqual(['stored']);
      expect(await sent(['id'], [{ column: 'price', op: '>', value: -1 }])).toEqual(['made']);
      expect(await read(world, { columns: ['id', 'city'] })).toHaveLength(15);
    }));

  it('[DP-110] an entry with damaged messages or a wrong number of rows is fetched again', () =>
    withWorld({}, async (world) => {
      await read(world);
      const [broken, fewer] = entryFiles(world).map((name) => join(world.dir, 'cache/v4', name));
      // Damages the length of the first batch; the marks at both ends are unchanged.
      const bytes = readFileSync(broken ?? '');
      const schemaBytes = 8 + bytes.readUInt32LE(4);
      bytes.writeUInt32LE(bytes.readUInt32LE(schemaBytes + 4) + 8, schemaBytes + 4);
      writeFileSync(broken ?? '', bytes);
      const meta = (fewer ?? '').replace('.arrowstream', '.meta.json');
      const about = JSON.parse(readFileSync(meta, 'utf8')) as { num_rows: number };
      writeFileSync(meta, JSON.stringify({ ...about, num_rows: about.num_rows + 1 }));
      expect(await read(world)).toEqual(ids);
      expect(await cacheCounts(world)).toBe('3 hits, 7 misses');
      expect(await read(world)).toEqual(ids);
      expect(await cacheCounts(world)).toBe('8 hits, 7 misses');
    }));

  it.each(['write', 'finish'] as const)('[DP-111] an entry whose %s fails leaves no draft', (step) =>
    withWorld({}, async (world) => {
      const { cache } = await world.plane.cachePlane();
      const create = cache.create.bind(cache);
      cache.create = async (...unit) => ({
        ...(await create(...unit)),
        [step]: () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: step })),
      });
      expect(await read(world, { columns: ['id'] })).toHaveLength(ids.length);
      expect(
        readdirSync(cache.dir, { recursive: true }).filter((name) => String(name).includes('.tmp')),
      ).toEqual([]);
    }),
  );

  it('[DP-109] an entry that another server replaced since it was held is not sent', () =>
    withWorld({}, async (world) => {
      const { cache } = await world.plane.cachePlane();
      const expected = await read(world, { columns: ['id'] });
      const hold = cache.hold.bind(cache);
      cache.hold = async (...unit) => {
        const entry = await hold(...unit);
        if (entry !== null) writeFileSync(entry.path, Buffer.alloc(200));
        return entry;
      };
      expect([...(await read(world, { columns: ['id'] }))].sort()).toEqual([...expected].sort());
    }));

  it('[DP-111] if the cache refuses writes in the middle of a file, each row is returned once', () =>
    withWorld({}, async (world) => {
      const { cache } = await world.plane.cachePlane();
      const create = cache.create.bind(cache);
      let created = 0;
      cache.create = (...unit) => {
        created += 1;
        if (created % 3 !== 2) return create(...unit);
        return Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'write' }));
      };
      for (const columns of [['id'], ['id', 'city']]) {
        const rows = await read(world, { columns });
        expect(rows.map((row) => /id=(\d+)/.exec(row)?.[1]).sort()).toEqual(
          ids.map((id) => id.slice(3)).sort(),
        );
      }
      cache.create = create;
      // No entry is held any more.
      await cache.clear();
      expect(entryFiles(world)).toEqual([]);
      expect(world.logged.join('')).toContain('the row-group cache cannot be written to');
    }));

  it('[DP-25] granularity row_group keeps all columns of a row group for every scan', () =>
    withWorld({ cacheGranularity: 'row_group' }, async (world) => {
      await read(world);
      expect(await read(world, { columns: ['city'] })).toHaveLength(15);
      expect(await read(world, { over: 6.5 })).toEqual(['id=14']);
      expect(await cacheCounts(world)).toMatch(/ 5 misses$/);
    }));

  it('[DP-26] above the size limit the oldest entries are removed, down to 80 %, and scans stay correct', () =>
    withWorld({ maxCacheSizeBytes: 3000 }, async (world) => {
      for (const columns of [['id'], ['city'], ['price'], ['id', 'city'], null]) {
        expect(await read(world, { columns })).toHaveLength(15);
      }
      expect(await read(world)).toEqual(ids);
      const { cache } = await world.plane.cachePlane();
      const size = (await cache.entries()).reduce((sum, { meta }) => sum + meta.size_bytes, 0);
      expect(size).toBeLessThanOrEqual(3000);
      const { total_files_evicted, pressure_level, recent_events } = cache.metrics.evictions(10);
      expect(total_files_evicted).toBeGreaterThan(0);
      expect(pressure_level).not.toBe('low');
      expect(recent_events?.[0]?.cache_size_after).toBeLessThanOrEqual(2400);
    }));

  it('[DP-27] entries survive a restart; folders of other versions are removed if they only contain entries', async () => {
    const world = await openPlaneWorld();
    await read(world);
    for (const name of ['v3/ab', 'v2', 'v1x'])
      await mkdir(join(world.dir, 'cache', name), { recursive: true });
    writeFileSync(join(world.dir, 'cache/v3/ab/x.arrowstream'), '');
    writeFileSync(join(world.dir, 'cache/v2/notes.txt'), '');
    await world.plane.close();
    const next = await openPlaneWorld({}, { dir: world.dir });
    expect(await read(next)).toEqual(ids);
    expect(await cacheCounts(next)).toBe('5 hits, 0 misses');
    expect((await (await next.plane.cachePlane()).footers.stats()).parquet_cache.misses).toBe(0);
    expect(readdirSync(join(world.dir, 'cache')).sort()).toEqual(['v1x', 'v2', 'v4']);
    await (await next.plane.cachePlane()).cache.clear();
    expect(entryFiles(next)).toEqual([]);
    await next.close();
    await world.close();
  });

  it('[DP-28] a cache that cannot be written to slows scans down but fails none', async () => {
    const world = await openPlaneWorld();
    const { cache } = await world.plane.cachePlane();
    await cache.entries();
    cache.create = () =>
      Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'write' }));
    expect(await read(world)).toEqual(ids);
    expect(world.logged.join('')).toContain('the row-group cache cannot be written to');
    await world.close();
  });

  it('[DP-29] warming fetches before scans need it, reports what it did, and continues after a table that fails', () =>
    withWorld({}, async ({ plane }) => {
      const cachePlane = await plane.cachePlane();
      const request = {
        tables: [tables.uri('orders'), tables.uri('none')],
        columns: ['id'],
        maxRowGroups: 4,
      };
      const warmed = await cachePlane.warm({ ...request, concurrent: 4, snapshotId: null }, '', never);
      expect(warmed).toMatchObject({ tablesCompleted: 1, rowGroupsCached: 4, rowGroupsSkipped: 0 });
      expect(warmed.errors).toEqual([`${tables.uri('none')}: The catalog has no table ns.none.`]);
      const job = cachePlane.warmLater(
        { ...request, maxRowGroups: null, concurrent: 1, snapshotId: null },
        '',
        0,
      );
      await expect.poll(() => job.status, { timeout: 60_000, interval: 10 }).toBe('completed');
      expect(job.progress).toMatchObject({ rowGroupsCached: 1, rowGroupsSkipped: 4, tablesCompleted: 1 });
      expect([cachePlane.jobs.find(job.id, 'acme'), cachePlane.jobs.cancel(job.id, '')]).toEqual([
        null,
        false,
      ]);
      await expect(
        cachePlane.warm({ ...request, tables: ['x'], concurrent: 1, snapshotId: null }, '', never),
      ).rejects.toMatchObject({ status: 400 });
    }));

  it('[DP-21] [DP-105] materialize reads through the cache, and fetches the first row group before its client asks', () =>
    withWorld({}, async (world) => {
      const { cache } = await world.plane.cachePlane();
      const request = { columns: ['id'], filters: [{ column: 'id', op: '>=', value: 6 }] };
      const reply = await world.materialize([tables.uri('orders')], 'scan@v1', request);
      await expect.poll(async () => (await cache.entries()).length).toBe(1);
      expect(await world.rows(reply.stream_id, PERSON)).toEqual(ids.filter((id) => Number(id.slice(3)) >= 6));
      expect(await cacheCounts(world)).toBe('1 hits, 4 misses');
      const again = await world.materialize([tables.uri('orders')], 'scan@v1', request, {
        refresh: true,
        mode: 'artifact',
      });
      await world.ended(again.build_id);
      expect(await cacheCounts(world)).toBe('5 hits, 4 misses');
      expect(readFileSync(join(world.dir, 'meta.sqlite')).subarray(0, 6).toString()).toBe('SQLite');
    }));
});

describe.skipIf(PYTHON === undefined)('random histories of tables', () => {
  const isLong = process.env['LONG'] === '1';
  const first = isLong ? Math.floor(Math.random() * 1e9) : 1;

  it(`[DP-21] give the rows of pyiceberg's own scan, cold and warm (tables from ${first} on)`, {
    timeout: isLong ? 3_600_000 : 300_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plane-histories-'));
    const histories = (await writtenBy(
      'iceberg_histories.py',
      ...[folder, String(first), String(isLong ? 200 : 4)],
    )) as History[]; // by that program
    const worlds = await Promise.all([
      // Batches so small that row groups end inside them.
      openPlaneWorld({ batchSize: 7 }),
      openPlaneWorld({ cacheGranularity: 'row_group' }),
    ]);
    const reader = createTables(WAREHOUSES, { ...TABLE_LIMITS, equalityDeleteRows: 1e6 });
    for (const { table, queries = [] } of histories) {
      for (const { columns, filters, snapshot, file } of queries) {
        const expected = rowsOf(tableFromIPC(readFileSync(file)));
        const snapshotId = snapshot === null ? null : BigInt(snapshot);
        for (const { plane } of [...worlds, ...worlds]) {
          const pinned = await reader.pin(`${folder}#${table}`, snapshotId, never);
          const plan = await reader.plan(pinned, { columns, filters, snapshotId }, never);
          const owner = { tenant: '', identity: pinned.table.uri.identity };
          const reading = { ...(await plane.cachePlane()).reading, files: pinned.table.files, signal: never };
          const rows = rowsOf(await collected(ipcStream(cachedScan(plan, owner, reading))));
          expect(rows, `${table} ${inspect({ columns, filters, snapshot })}`).toEqual(expected);
          await pinned.table.close();
        }
      }
    }
    for (const world of worlds) {
      expect((await world.plane.cachePlane()).cache.metrics.histogram().lifetime.hits).toBeGreaterThan(0);
      await world.close();
    }
    await rm(folder, { recursive: true, force: true });
  });
});

interface History {
  readonly table: string;
  readonly queries?: readonly {
    readonly columns: readonly string[] | null;
    readonly filters: readonly ScanFilter[];
    readonly snapshot: string | null;
    readonly file: string;
  }[];
}
