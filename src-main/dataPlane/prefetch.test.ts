import { expect, it } from 'vitest';
import { Prefetch } from './prefetch.ts';

/** Fetches that last until they are ended. */
function endless() {
  const counts = { started: 0, ended: 0 };
  const fetch = (signal: AbortSignal): Promise<void> => {
    counts.started += 1;
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        counts.ended += 1;
        reject(signal.reason);
      });
    });
  };
  return { seen: counts, fetch };
}

it('[DP-105] at most four fetches run at the same time, and ending one allows another', async () => {
  const prefetch = new Prefetch();
  const { seen, fetch } = endless();
  const works = Array.from({ length: 6 }, () => prefetch.start(fetch));
  expect(seen).toEqual({ started: 4, ended: 0 });
  await works[0]?.end();
  await works[5]?.end();
  prefetch.start(fetch);
  prefetch.start(fetch);
  expect(seen).toEqual({ started: 5, ended: 1 });
  await prefetch.close();
  expect(seen).toEqual({ started: 5, ended: 5 });
  prefetch.start(fetch);
  expect(seen.started).toBe(5);
});

it('[DP-105] a fetch that fails makes room, and is reported only by the scan', async () => {
  const prefetch = new Prefetch();
  for (let i = 0; i < 9; i += 1) await prefetch.start(async () => Promise.reject(new Error('gone'))).end();
  const { seen, fetch } = endless();
  prefetch.start(fetch);
  expect(seen.started).toBe(1);
  await prefetch.close();
});
