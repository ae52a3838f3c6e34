/** Computes the bars that show the durations of a cell's latest runs in the inspector. */

import type { RunSample } from '../../../src-shared/wire/runSample.ts';

const MAX_BARS = 24;

interface RunBar {
  readonly key: string;
  readonly durationMs: number;
  /** The length of the bar, 0 to 1, relative to the longest. */
  readonly share: number;
  readonly cached: boolean;
}

/**
 * A bar for each of the latest runs.
 * @param runs oldest first
 */
export function barsOf(runs: readonly RunSample[]): readonly RunBar[] {
  const visibleRuns = runs.slice(-MAX_BARS);
  const longest = Math.max(1, ...visibleRuns.map(({ duration_ms }) => duration_ms));
  return visibleRuns.map(({ duration_ms: durationMs, cache_hit: cached }, at) => ({
    key: `${runs.length - visibleRuns.length + at}`,
    durationMs,
    share: durationMs / longest,
    cached,
  }));
}
