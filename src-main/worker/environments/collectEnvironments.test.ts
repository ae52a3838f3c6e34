import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from '../../lib/lockFile.ts';
import { ownMark } from '../../lib/processMark.ts';
import { collectEnvironments, environmentsToRemove } from './collectEnvironments.ts';
import { COMPLETE_MARKER } from './environmentFolder.ts';
import { createEnvironmentKeeper } from './environmentKeeper.ts';
import { createEnvironmentUses, lastUseFile } from './environmentUses.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 1_000 * DAY_MS;
const LARGE = { bytes: 1e12, ageMs: 30 * DAY_MS };
const NONE = { bytes: 0, ageMs: 30 * DAY_MS };

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellar-collect-'));
});
afterEach(() => rm(root, { recursive: true }));

const dirOf = (letter: string): string => join(root, letter.repeat(32));

/** An environment of two blocks, used `daysAgo` days ago; not `isWhole`: without the marker. */
async function environment(letter: string, { daysAgo = 1, isWhole = true } = {}): Promise<string> {
  const dir = dirOf(letter);
  await mkdir(join(dir, 'lib'), { recursive: true });
  await writeFile(join(dir, 'lib/module.py'), 'x'.repeat(8_000));
  const at = (NOW_MS - daysAgo * DAY_MS) / 1000;
  if (isWhole) {
    await writeFile(join(dir, COMPLETE_MARKER), '');
    await utimes(join(dir, COMPLETE_MARKER), at, at);
  }
  await utimes(dir, at, at);
  return dir;
}

const collect = async (
  limits = LARGE,
  uses = createEnvironmentUses({ lingerMs: 60_000, now: () => NOW_MS }),
) => (await collectEnvironments(root, { limits, uses, nowMs: NOW_MS })).map((dir) => dir.slice(-1));

it('[RW-46] removes environments that have not been used for a long time', async () => {
  await environment('a', { daysAgo: 31 });
  await environment('b', { daysAgo: 29 });
  await writeFile(join(root, 'notes.txt'), '');
  await mkdir(join(root, 'cache'));
  expect(await collect()).toEqual(['a']);
  expect((await readdir(root)).sort()).toEqual([
    'b'.repeat(32),
    `${'b'.repeat(32)}.used`,
    'cache',
    'notes.txt',
  ]);
});

it('[RW-46] removes the least recently used environments until the rest fits; measures each once', async () => {
  for (const [letter, daysAgo] of [
    ['a', 4],
    ['b', 3],
    ['c', 2],
  ] as const)
    await environment(letter, { daysAgo });
  const uses = createEnvironmentUses({ lingerMs: 0, now: () => NOW_MS - DAY_MS });
  (await uses.begin(dirOf('a')))();
  uses.forgetIdle();
  const { blocks } = await stat(join(dirOf('a'), 'lib/module.py'));
  const size = blocks * 512;
  expect(await collect({ bytes: 3 * size, ageMs: LARGE.ageMs })).toEqual([]);
  const before = await stat(lastUseFile(dirOf('a')));
  expect(before.mtimeMs).toBe(NOW_MS - DAY_MS);
  await writeFile(join(dirOf('a'), 'late'), 'x'.repeat(100_000));
  expect(await collect({ bytes: 2 * size, ageMs: LARGE.ageMs })).toEqual(['b']);
  expect(await collect({ bytes: 2 * size, ageMs: LARGE.ageMs })).toEqual([]);
});

it('[RW-46] keeps environments that are in use, recently used, used by another worker, or being built', async () => {
  let nowMs = NOW_MS;
  const uses = createEnvironmentUses({ lingerMs: 60_000, now: () => nowMs });
  const other = createEnvironmentUses({ lingerMs: 60_000, now: () => nowMs });
  for (const letter of ['a', 'b', 'c', 'd']) await environment(letter);
  const endUse = await uses.begin(dirOf('a'));
  (await uses.begin(dirOf('b')))();
  await other.begin(dirOf('c'));
  const lock = await takeLock(`${dirOf('d')}.lock`);
  expect(await collect(NONE, uses)).toEqual([]);
  endUse();
  if (lock.kind === 'held') await lock.release();
  nowMs += 60_000;
  uses.forgetIdle();
  expect((await collect(NONE, uses)).sort()).toEqual(['a', 'b', 'd']);
  await other.close();
  expect(await collect(NONE, uses)).toEqual(['c']);
  expect(await readdir(root)).toEqual([]);
});

it.each<[string, object | string, boolean]>([
  ['a worker that no longer runs', { pid: 2 ** 22 - 1 }, false],
  ['a worker on another machine, of today', { host: 'elsewhere', boot: 'another' }, true],
  ['half a file', '{"pid":', false],
])('[RW-46] a mark of %s', async (_name, changes, isUsed) => {
  const dir = await environment('a');
  const text = typeof changes === 'string' ? changes : JSON.stringify({ ...(await ownMark()), ...changes });
  const mark = `${dir}.use-${'0'.repeat(16)}`;
  await writeFile(mark, text);
  await utimes(mark, NOW_MS / 1000 - 60, NOW_MS / 1000 - 60);
  expect(await collect(NONE)).toEqual(isUsed ? [] : ['a']);
});

it('[RW-46] removes the leftovers of an interrupted build or removal after a day', async () => {
  await environment('a', { isWhole: false, daysAgo: 2 });
  await environment('b', { isWhole: false, daysAgo: 0.5 });
  for (const name of ['.fetch-0a', '.gone-0b', `${'c'.repeat(32)}.project`]) {
    await mkdir(join(root, name));
    await utimes(join(root, name), 1, 1);
  }
  expect(await collect()).toEqual(['a']);
  expect(await readdir(root)).toEqual(['b'.repeat(32)]);
});

it('[RW-46] rebuilds an environment that is removed just after a run finds it', async () => {
  const log = { info: () => undefined, warn: () => expect.unreachable('a failed check') };
  const keeper = createEnvironmentKeeper({ envRoot: root, limits: LARGE, lingerMs: 60_000, log });
  await keeper.collect();
  let builds = 0;
  const { release } = await keeper.hold(async () => {
    builds += 1;
    const dir = await environment('a');
    if (builds === 1) await rm(dir, { recursive: true });
    return { dir };
  });
  expect(builds).toBe(2);
  release();
  await keeper.close();
  expect((await readdir(root)).filter((name) => name.includes('.use-'))).toEqual([]);
});

it('[RW-46] keeps the most recently used environments that fit, for any contents of the disk', () => {
  const one = fc.record({ bytes: fc.nat(50), usedAtMs: fc.integer({ min: 0, max: 40 * DAY_MS }) });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 10 }), (environments) => {
      const all = environments.map((each, at) => ({ ...each, dir: String(at) }));
      const limits = { bytes: 100, ageMs: 30 * DAY_MS };
      const removed = new Set(environmentsToRemove(all, limits, 40 * DAY_MS));
      const remaining = all.filter(({ dir }) => !removed.has(dir));
      expect(remaining.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limits.bytes);
      expect(remaining.every(({ usedAtMs }) => 40 * DAY_MS - usedAtMs < limits.ageMs)).toBe(true);
      if (removed.size === 0) return;
      const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
      expect(total > limits.bytes || all.some(({ usedAtMs }) => usedAtMs <= 10 * DAY_MS)).toBe(true);
    }),
  );
});
