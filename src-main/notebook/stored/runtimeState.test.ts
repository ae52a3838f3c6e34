import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cellId } from '../../../src-shared/notebook/ids.ts';
import { notebookFolder } from '../folder/notebookFolder.ts';
import {
  createRuntimeWriter,
  EMPTY_RUNTIME,
  loadConsole,
  loadRuntime,
  type RuntimeState,
  saveConsole,
  saveRuntime,
} from './runtimeState.ts';

let dir = notebookFolder('');
beforeEach(async () => {
  dir = notebookFolder(await mkdtemp(join(tmpdir(), 'svc-runtime-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const text = fc.string({ maxLength: 6 });
const orNull = fc.option(text);
const runtime: fc.Arbitrary<RuntimeState> = fc.record(
  {
    cells: fc
      .dictionary(
        text,
        fc.record(
          {
            provenanceHash: orNull,
            sourceHash: orNull,
            envHash: orNull,
            inputs: fc.array(text),
            reopenIdentity: orNull,
            error: orNull,
            errorSourceHash: orNull,
            displays: fc.array(fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)))),
            executionSamples: fc.array(
              fc.record({ duration_ms: fc.nat(), cache_hit: fc.boolean() }, { noNullPrototype: true }),
            ),
            lastExecutionMethod: orNull,
            cacheHit: fc.boolean(),
            logRun: orNull,
            shownRuns: orNull,
            consoleDigest: orNull,
            errorProvenance: orNull,
            facts: fc.constant(null),
            testResult: fc.constant(null),
            lastRun: fc.constant(null),
            stoppedMs: fc.option(fc.nat()),
            widgetValues: fc.dictionary(
              fc.string({ minLength: 1, maxLength: 6 }).filter((name) => name !== '__proto__'),
              fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
              {
                noNullPrototype: true,
              },
            ),
          },
          { noNullPrototype: true },
        ),
        { noNullPrototype: true },
      )
      .filter((cells) => !Object.hasOwn(cells, '__proto__')),
    environment: fc.record(
      {
        syncedLockHash: text,
        lastSyncedAt: fc.option(fc.nat()),
        lastSyncDurationMs: fc.option(fc.nat()),
        pythonVersion: text,
      },
      { noNullPrototype: true },
    ),
  },
  { noNullPrototype: true },
);

test('a saved record is loaded', async () => {
  await fc.assert(
    fc.asyncProperty(runtime, async (state) => {
      await saveRuntime(dir, state);
      expect(await loadRuntime(dir)).toEqual(state);
    }),
    { numRuns: 30 },
  );
});

const damaged = ['', '{', 'null', '{"version":2,"cells":{}}', '{"version":1,"cells":{"a":1}}'];
for (const content of damaged) {
  test(`[NF-10] a damaged file counts as empty and is set aside: ${JSON.stringify(content)}`, async () => {
    await saveRuntime(notebookFolder(dir), EMPTY_RUNTIME);
    await writeFile(join(dir, '.svc/runtime.json'), content);
    expect(await loadRuntime(notebookFolder(dir))).toEqual(EMPTY_RUNTIME);
    expect(await readFile(join(dir, '.svc/runtime.json.bad'), 'utf8')).toBe(content);
    expect(await readdir(join(dir, '.svc'))).toEqual(['runtime.json.bad']);
  });
}

test('the writer writes the newest state, once for a burst, and reports failures', async () => {
  const errors: unknown[] = [];
  const writer = createRuntimeWriter(dir, { onError: (error) => errors.push(error) });
  let count = 0;
  const state = (python: string): RuntimeState => {
    count += 1;
    return { ...EMPTY_RUNTIME, environment: { ...EMPTY_RUNTIME.environment, pythonVersion: python } };
  };
  for (const version of ['1', '2', '3']) writer.schedule(() => state(version));
  await writer.flush();
  expect([count, (await loadRuntime(dir)).environment.pythonVersion]).toEqual([1, '3']);
  await writer.flush();
  expect(count).toBe(1);
  await rm(join(dir, '.svc'), { recursive: true });
  await writeFile(join(dir, '.svc'), 'in the way');
  writer.schedule(() => state('4'));
  await writer.flush();
  expect(errors).toHaveLength(1);
});

test.each<[string, 'fails' | 'folder is away']>([
  ['a write that failed', 'fails'],
  ['a write while the folder was away', 'folder is away'],
])('[NF-36] %s is made up for by the next flush', async (_name, fault) => {
  const errors: unknown[] = [];
  let isBroken = fault === 'fails';
  const writer = createRuntimeWriter(dir, {
    onError: (error) => errors.push(error),
    save: (...record) => (isBroken ? Promise.reject(new Error('disk full')) : saveRuntime(...record)),
  });
  const environment = { ...EMPTY_RUNTIME.environment, pythonVersion: '3.13' };
  if (fault === 'folder is away') await rename(dir, `${dir}-away`);
  writer.schedule(() => ({ ...EMPTY_RUNTIME, environment }));
  await writer.flush();
  if (fault === 'folder is away') await rename(`${dir}-away`, dir);
  expect(await loadRuntime(dir)).toEqual(EMPTY_RUNTIME);
  isBroken = false;
  await writer.flush();
  expect((await loadRuntime(dir)).environment.pythonVersion).toBe('3.13');
  expect(errors).toHaveLength(1);
});

test.each<[string, number, readonly (readonly [version: number, flush: boolean])[]]>([
  ['one run', 1, [[1, true]]],
  // Written each time, so that a kill loses none; flushed immediately, and then once a second.
  [
    'a run each 100 ms',
    4,
    [
      [1, true],
      [2, false],
      [3, false],
      [4, false],
      [4, true],
    ],
  ],
  [
    'thirteen of them',
    13,
    [
      [1, true],
      ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((version) => [version, false] as const),
      [11, true],
      [12, false],
      [13, false],
      [13, true],
    ],
  ],
])(
  '[NF-36] %s: the record is flushed at most once a second, the newest at the end',
  async (_name, runs, expected) => {
    vi.useFakeTimers();
    try {
      const saved: (readonly [version: number, flush: boolean])[] = [];
      const writer = createRuntimeWriter(dir, {
        onError: (error) => expect.unreachable(String(error)),
        save: async (_dir, { environment }, { flush = true } = {}) => {
          saved.push([Number(environment.pythonVersion), flush]);
        },
      });
      for (let run = 1; run <= runs; run += 1) {
        const environment = { ...EMPTY_RUNTIME.environment, pythonVersion: String(run) };
        writer.schedule(() => ({ ...EMPTY_RUNTIME, environment }));
        await vi.advanceTimersByTimeAsync(100);
      }
      await vi.advanceTimersByTimeAsync(5_000);
      expect(saved).toEqual(expected);
      await writer.flush();
      expect(saved).toEqual(expected);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('the last 10,000 characters of each stream are stored; a damaged console is empty', async () => {
  const id = cellId('c');
  expect(await loadConsole(dir, id)).toEqual({ stdout: '', stderr: '' });
  await saveConsole(dir, id, { stdout: `${'a'.repeat(10_000)}end`, stderr: 'e' });
  expect(await loadConsole(dir, id)).toEqual({ stdout: `${'a'.repeat(9_997)}end`, stderr: 'e' });
  await writeFile(join(dir, '.svc/console/c.json'), '{"stdout":1}');
  expect(await loadConsole(dir, id)).toEqual({ stdout: '', stderr: '' });
});

test('[NF-10] a folder in place of runtime.json is set aside, twice', async () => {
  for (let round = 0; round < 2; round += 1) {
    await mkdir(join(dir, '.svc', 'runtime.json', 'full'), { recursive: true });
    expect(await loadRuntime(dir)).toEqual(EMPTY_RUNTIME);
    expect(await readdir(join(dir, '.svc'))).toEqual(['runtime.json.bad']);
  }
});

test('cells named like object members have no records', async () => {
  await saveRuntime(dir, EMPTY_RUNTIME);
  for (const { cells } of [EMPTY_RUNTIME, await loadRuntime(notebookFolder(dir))]) {
    for (const id of ['constructor', 'toString', '__proto__']) expect(cells[id], id).toBeUndefined();
  }
});

test('[NF-23] a link in place of one of Cellar’s files is replaced, and its target is unchanged', async () => {
  const id = cellId('a');
  const precious = join(dir, 'precious');
  await writeFile(precious, 'mine');
  await mkdir(join(dir, '.svc', 'console'), { recursive: true });
  for (const name of ['runtime.json', 'console/a.json']) await symlink(precious, join(dir, '.svc', name));
  await saveConsole(dir, id, { stdout: 'printed', stderr: '' });
  await saveRuntime(dir, EMPTY_RUNTIME);
  expect(await readFile(precious, 'utf8')).toBe('mine');
  expect(await loadConsole(dir, id)).toEqual({ stdout: 'printed', stderr: '' });
});
