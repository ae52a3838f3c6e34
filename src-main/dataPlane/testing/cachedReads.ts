/** For tests of the data plane: scans of the table `orders` through its row-group cache. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/variables.ts';
import { ipcStream } from '../../iceberg/read/ipcStream.ts';
import { collected, rowsOf } from '../../iceberg/testing/arrowRows.ts';
import { NO_WAREHOUSES } from '../../iceberg/testing/scanned.ts';
import { cachedScan } from '../cache/cachedScan.ts';
import type { Tables } from '../tableVersion.ts';
import { openPlaneWorld, type PlaneWorld, type SharedTables } from './planeWorld.ts';

export const WAREHOUSES = {
  defaultCatalog: NO_WAREHOUSES.defaultCatalog,
  current: async () => NO_WAREHOUSES,
};
export const TABLE_LIMITS = { planSeconds: 60, equalityDeleteRows: 1000, positionDeleteRows: 1000 };

/** The column `id` of the table, sorted as text. */
export const IDS: readonly string[] = Array.from({ length: 15 }, (_, i) => `id=${i}`).sort();

const never = new AbortController().signal;

export interface CachedRead {
  readonly columns?: readonly string[] | null;
  readonly tenant?: string;
  /** Rows with a price above this; null: all rows. */
  readonly over?: number | null;
}

/** Runs `work` with a data plane that has an empty cache. */
export async function withWorld(
  config: Partial<Config>,
  work: (world: PlaneWorld) => Promise<void>,
): Promise<void> {
  const world = await openPlaneWorld(config);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}

/** The rows of a scan through the cache, sorted. */
export async function readCached(
  { plane }: PlaneWorld,
  reader: Tables,
  tables: SharedTables,
  { columns = ['id'], tenant = '', over = null }: CachedRead = {},
): Promise<readonly string[]> {
  const pinned = await reader.pin(tables.uri('orders'), null, never);
  const filters = over === null ? [] : [{ column: 'price', op: '>', value: over } as const];
  const plan = await reader.plan(pinned, { columns, filters, snapshotId: null }, never);
  const owner = { tenant, identity: pinned.table.uri.identity };
  const cachePlane = await plane.cachePlane();
  const scan = cachedScan(plan, owner, { ...cachePlane.reading, files: pinned.table.files, signal: never });
  const rows = rowsOf(await collected(ipcStream(scan)));
  await pinned.table.close();
  return rows;
}

/** Cache hits and misses since the data plane was opened. */
export async function cacheCounts({ plane }: PlaneWorld): Promise<string> {
  const { hits, misses } = (await plane.cachePlane()).cache.metrics.histogram().lifetime;
  return `${hits} hits, ${misses} misses`;
}

/** The data files of the cache, relative to the folder of its version. */
export function entryFiles({ dir }: PlaneWorld): readonly string[] {
  return readdirSync(join(dir, 'cache/v4'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.arrowstream'),
  );
}
