import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DataAccess } from '../../mount/dataAccess.ts';
import { createWorld } from '../testing/testWorld.ts';
import { createDataWatch } from './dataWatch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('[DK-24] external data that an untrusted folder names is only checked once the folder is trusted', async () => {
  const lookups: string[] = [];
  const data: Pick<DataAccess, 'check'> = {
    check: async (items) => {
      lookups.push(...items.map(({ key }) => key));
      return [];
    },
  };
  const watch = createDataWatch({
    // Runs prepare data; a watch only checks it.
    data: data as DataAccess,
    pathOf: () => null,
    remoteMs: 60_000,
    onSeen: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const world = createWorld({ a: '# @mount m file:///m\nx = m' }, { trusted: false });
  watch.follow(world.state());
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lookups).toEqual([]);
  world.report({ type: 'folder_trusted' });
  watch.follow(world.state());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lookups).toHaveLength(1);
  watch.close();
});

it.each([
  { seconds: 1, looks: 10 },
  { seconds: 60, looks: 1 },
])('[MT-33] the data of a server is checked every $seconds s', async ({ seconds, looks }) => {
  let lookups = 0;
  const look: DataAccess['check'] = async () => {
    lookups += 1;
    return [];
  };
  const watch = createDataWatch({
    data: { check: look } as DataAccess,
    pathOf: () => null,
    remoteMs: seconds * 1_000,
    onSeen: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  watch.follow(createWorld({ a: '# @table t ns.t\nx = t' }).state());
  await vi.advanceTimersByTimeAsync(10_000);
  watch.close();
  expect(lookups).toBe(looks);
});
