import { describe, expect, it } from 'vitest';
import type { RunSample } from '../../../src-shared/wire/runSample.ts';
import { barsOf } from './runBars.ts';

const run = (duration_ms: number, cache_hit = false): RunSample => ({ duration_ms, cache_hit });

describe('[WI-310] the bars of the latest runs', () => {
  it.each([
    ['no run', [], []],
    ['a run of 0 ms', [run(0)], [[0, false]]],
    [
      'the longest is 1',
      [run(200), run(50), run(100, true)],
      [
        [1, false],
        [0.25, false],
        [0.5, true],
      ],
    ],
  ] as const)('%s', (_name, runs, expected) => {
    expect(barsOf(runs).map(({ share, cached }) => [share, cached])).toEqual(expected);
  });

  it('shows the newest 24', () => {
    const bars = barsOf(Array.from({ length: 50 }, (_, at) => run(at + 1)));
    expect(bars).toHaveLength(24);
    expect(bars.map(({ durationMs }) => durationMs)).toEqual(Array.from({ length: 24 }, (_, at) => at + 27));
  });
});
