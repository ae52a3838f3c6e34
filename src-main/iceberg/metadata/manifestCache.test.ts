import { expect, it } from 'vitest';
import { contentFile } from '../testing/contentFile.ts';
import { ManifestCache } from './manifestCache.ts';
import type { ManifestFile } from './manifests.ts';

const manifest = (path: string, parts: Partial<ManifestFile> = {}): ManifestFile => ({
  path,
  length: 10,
  specId: 0,
  content: 'data',
  sequenceNumber: 1n,
  liveFiles: 2,
  isEncrypted: false,
  partitions: null,
  ...parts,
});
const files = [contentFile({ path: 'a' }), contentFile({ path: 'b' })];

it('[DP-47] a manifest is read once unless its list entry changes, and the oldest are dropped', async () => {
  const cache = new ManifestCache(5);
  let loads = 0;
  const read = (one: ManifestFile) =>
    cache.read(one, async () => {
      loads += 1;
      return files;
    });
  for (const one of [manifest('a'), manifest('b'), manifest('a'), manifest('a', { length: 11 })]) {
    expect(await read(one)).toBe(files);
  }
  expect(loads).toBe(3);
  expect(cache.stats().unfiltered).toEqual({
    size: 4,
    max_size: 5,
    hits: 1,
    misses: 3,
    hit_rate: 0.25,
    updates: 3,
    evictions: 1,
  });
  // `b` was the least recently used.
  await read(manifest('a'));
  await read(manifest('b'));
  expect(loads).toBe(4);
});

it('[DP-47] a manifest that cannot be read is not kept', async () => {
  const cache = new ManifestCache();
  await expect(cache.read(manifest('a'), () => Promise.reject(new Error('torn')))).rejects.toThrow('torn');
  expect(await cache.read(manifest('a'), async () => files)).toBe(files);
});

it('[DP-104] the entries that match a condition are computed once per condition', () => {
  const cache = new ManifestCache(3);
  let looks = 0;
  const matching = (conditions: string, left = files.slice(0, 1)) =>
    cache.matching(manifest('a'), conditions, () => {
      looks += 1;
      return left;
    });
  expect([matching('a > 1'), matching('a > 1'), matching('a > 2', [])]).toEqual([[files[0]], [files[0]], []]);
  expect(looks).toBe(2);
  expect(cache.stats().filtered).toMatchObject({ size: 2, max_size: 3, hits: 1, misses: 2, evictions: 0 });
  // Empty lists are counted, so that their number is limited.
  matching('a > 3', []);
  matching('a > 4', []);
  expect(cache.stats().filtered).toMatchObject({ size: 3, evictions: 1 });
});
