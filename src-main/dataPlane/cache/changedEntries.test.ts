/**
 * The cache of scanned row groups when its entries are damaged or replaced on disk: scans of pyiceberg tables
 * stay correct.
 */

import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TableFiles } from '../../iceberg/storage/tableFiles.ts';
import { PYTHON } from '../../iceberg/testing/pyiceberg.ts';
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
import { type PlaneWorld, type SharedTables, sharedPlaneTables } from '../testing/planeWorld.ts';

const never = new AbortController().signal;

describe.skipIf(PYTHON === undefined)('entries that changed', () => {
  let tables: SharedTables;
  let reader: Tables;
  beforeAll(async () => {
    tables = await sharedPlaneTables();
    reader = createTables(WAREHOUSES, TABLE_LIMITS);
  });
  const read = (world: PlaneWorld, what?: CachedRead): Promise<readonly string[]> =>
    readCached(world, reader, tables, what);

  it.each([
    ['once', 1, '5 hits, 5 misses'],
    ['every time', Number.POSITIVE_INFINITY, '0 hits, 0 misses'],
  ])('[DP-113] entries that were written damaged, %s, fail no scan', (_title, mostBroken, counts) =>
    withWorld({}, async (world) => {
      const { cache } = await world.plane.cachePlane();
      const create = cache.create.bind(cache);
      let created = 0;
      cache.create = async (...unit) => {
        const draft = await create(...unit);
        created += 1;
        return created > mostBroken ? draft : { ...draft, write: (bytes) => draft.write(zeros(bytes)) };
      };
      expect(await read(world)).toEqual(ids);
      expect(await read(world)).toEqual(ids);
      expect(await cacheCounts(world)).toBe(counts);
    }),
  );

  it.each([[true], [false]])(
    '[DP-114] an entry of another schema is fetched again (sent as stored: %s)',
    (isSent) =>
      withWorld({}, async (world) => {
        const over = isSent ? null : -1;
        await read(world, { columns: ['id'], over });
        const pathOf = ({ dir }: PlaneWorld, name: string) => join(dir, 'cache/v4', name);
        const mine = new Set(entryFiles(world));
        await read(world, { columns: isSent ? ['price'] : ['price', 'city'], over });
        const others = entryFiles(world).filter((name) => !mine.has(name));
        const rowsOfEntry = (name: string): number =>
          (JSON.parse(readFileSync(metaOf(pathOf(world, name)), 'utf8')) as { num_rows: number }).num_rows;
        const [replaced = ''] = mine;
        const other = others.find((name) => rowsOfEntry(name) === rowsOfEntry(replaced)) ?? '';
        for (const place of [(path: string) => path, metaOf]) {
          copyFileSync(place(pathOf(world, other)), place(pathOf(world, replaced)));
        }
        const before = await cacheCounts(world);
        expect(await read(world, { columns: ['id'], over })).toEqual(ids);
        expect([before, await cacheCounts(world)]).toEqual(['0 hits, 10 misses', '4 hits, 11 misses']);
      }),
  );

  it('[DP-115] an entry that was damaged since it was held is not read', () =>
    withWorld({}, async (world) => {
      await read(world, { over: -1 });
      const { cache } = await world.plane.cachePlane();
      const hold = cache.hold.bind(cache);
      cache.hold = async (...unit) => {
        const entry = await hold(...unit);
        if (entry !== null) writeFileSync(entry.path, Buffer.alloc(statSync(entry.path).size));
        return entry;
      };
      expect(await read(world, { over: -1 })).toEqual(ids);
    }));

  it('[DP-116] the entries of a file are returned after the fetch has closed it', () =>
    withWorld({}, async (world) => {
      const pinned = await reader.pin(tables.uri('orders'), null, never);
      const request = { columns: ['id'], filters: [], snapshotId: null };
      const plan = await reader.plan(pinned, request, never);
      const owner = { tenant: '', identity: pinned.table.uri.identity };
      const { reading } = await world.plane.cachePlane();
      let isOpen = 0;
      const files: TableFiles = {
        read: (...file) => pinned.table.files.read(...file),
        async local(...file) {
          const local = await pinned.table.files.local(...file);
          isOpen += 1;
          const release = async (): Promise<void> => {
            for (let turn = 0; turn < 20; turn += 1) await setImmediate();
            await local.release();
            isOpen -= 1;
          };
          return { ...local, release };
        },
      };
      for (const task of plan.tasks) {
        const entries = await reading.fetcher.entriesOf({ plan, task, owner, files, signal: never });
        expect(isOpen).toBe(0);
        for (const entry of entries) entry.release();
      }
      await pinned.table.close();
    }));
});

/** Zeros of the same length: no Arrow stream. */
function zeros(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.byteLength);
}

/** The file that describes an entry. */
function metaOf(entry: string): string {
  return entry.replace('.arrowstream', '.meta.json');
}
