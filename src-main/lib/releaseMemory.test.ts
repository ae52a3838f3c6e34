import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryRelease } from './releaseMemory.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('[SG-43] memory is collected once the server is idle, if it grew, and not too often', () => {
  let rss = 100;
  let collections = 0;
  const release = createMemoryRelease({
    rss: () => rss,
    collect: () => {
      collections += 1;
      rss = 105;
    },
    nowMs: () => Date.now(),
  });
  release();
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(0);
  rss = 300;
  for (let n = 0; n < 50; n += 1) {
    release();
    vi.advanceTimersByTime(900);
  }
  expect(collections).toBe(0);
  vi.advanceTimersByTime(100);
  expect(collections).toBe(1);
  rss = 300;
  release();
  vi.advanceTimersByTime(2_000);
  expect(collections).toBe(1);
  vi.advanceTimersByTime(2_000);
  expect(collections).toBe(2);
});
