/**
 * Warm processes of the local executor and the cell's environment variables: libraries must load as in a
 * fresh process. Runs real Python.
 */

import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { rowsOfRun } from '../../../e2e/support/longRun.ts';
import { comparableOutcome, runCell } from '../testing/executorContract.ts';
import { keyOfEnvironment } from './cellEnvironment.ts';
import type { LocalExecutorOptions } from './localExecutor.ts';
import { closeBenches, type LocalBench, openLocalBench } from './testing/testBench.ts';

const benches: LocalBench[] = [];
afterAll(() => closeBenches(benches));

const optionsOf: Readonly<Record<string, Partial<LocalExecutorOptions>>> = {
  ...(process.platform === 'linux' ? { forked: { useTemplate: true } } : {}),
  spare: { useTemplate: false, poolSize: 1 },
};

/** Reads what libraries took from the environment when they were loaded. */
const ASK = `
import ctypes, os, tempfile
import matplotlib, numpy
_path = next((line.split(None, 5)[5].strip() for line in open("/proc/self/maps") if "openblas" in line), None) if os.path.exists("/proc/self/maps") else None
_threads = _path and getattr(ctypes.CDLL(_path), "scipy_openblas_get_num_threads64_", None)
facts = [matplotlib.rcParams["backend"], matplotlib.get_configdir(), _threads and _threads(), tempfile.gettempdir(), os.environ.get("MPLBACKEND"), os.environ.get("ONLY_THERE")]
del _path, _threads
`;

const environmentsIn = (dir: string): readonly Readonly<Record<string, string>>[] => [
  {},
  { MPLCONFIGDIR: join(dir, 'mpl'), TMPDIR: dir, OPENBLAS_NUM_THREADS: '1', ONLY_THERE: '1' },
  { MPLBACKEND: 'svg', OMP_NUM_THREADS: '1' },
];

describe.each(Object.entries(optionsOf))('[WK-44] a cell of a warm process (%s)', (way, options) => {
  test('finds libraries in the state in which a fresh process would load them, for any environment', async () => {
    const bench = await openLocalBench(options, ['matplotlib', 'numpy']);
    benches.push(bench);
    // A spare loads libraries as a template does: a normal run has each environment once.
    const isPlayed = (_env: unknown, index: number): boolean => (way === 'spare' ? index === 2 : index < 2);
    for (const env of rowsOfRun(environmentsIn(bench.dir), isPlayed)) {
      const cold = await runCell(bench, ASK, { overrides: { env, mode: 'cold' } });
      expect(cold.outcome).toMatchObject({ kind: 'finished', method: 'cold', result: { success: true } });
      // The second run of an environment starts a warm process for later runs.
      const methods: string[] = [];
      await vi.waitFor(
        async () => {
          const { outcome } = await runCell(bench, ASK, { overrides: { env } });
          methods.push(outcome.method);
          expect(comparableOutcome(outcome)['values']).toEqual(comparableOutcome(cold.outcome)['values']);
          expect(outcome.method).toBe('warm');
        },
        { timeout: 60_000, interval: 50 },
      );
      if (Object.keys(env).length > 0) expect(methods.slice(0, 2)).toEqual(['cold', 'cold']);
    }
  });

  test('is not started from a process of another environment, and few processes are kept', async () => {
    const bench = await openLocalBench({ ...options, poolSize: 1 }, []);
    benches.push(bench);
    const { interpreter } = bench.request('');
    const counts: number[] = [];
    for (const value of ['1', '2', '3', '4']) {
      const env = { VALUE: value };
      for (let i = 0; i < 2; i += 1) {
        const { outcome } = await runCell(bench, 'x = __import__("os").environ["VALUE"]', {
          overrides: { env },
        });
        expect(comparableOutcome(outcome)['values']).toEqual({ x: value });
      }
      await bench.executor.prepare(interpreter, []);
      counts.push((await bench.executor.memory()).length);
    }
    expect(counts).toEqual([2, 3, 3, 3]);
    await bench.executor.retire(interpreter);
    expect(await bench.executor.memory()).toEqual([]);
  });
});

test('[WK-44] the key of an environment depends on what it sets, not on the order', () => {
  const rows: readonly (readonly [Record<string, string>, Record<string, string>, boolean])[] = [
    [{}, {}, true],
    [{ a: '1', b: '2' }, { b: '2', a: '1' }, true],
    [{ a: '1' }, {}, false],
    [{ a: '1' }, { a: '2' }, false],
    [{ a: '1,b:2' }, { a: '1', b: '2' }, false],
    [{ 'a":"1': '' }, { a: '1' }, false],
  ];
  for (const [one, other, same] of rows) expect(keyOfEnvironment(one) === keyOfEnvironment(other)).toBe(same);
  expect(keyOfEnvironment({})).toBe('');
  // Keys are kept for long, so they must not reveal the values.
  expect(keyOfEnvironment({ TOKEN: 'secret' })).not.toContain('secret');
});
