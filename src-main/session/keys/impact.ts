/** Estimates which cells the run of a cell needs, which it makes stale, and how long that takes. */

import { descendantsOf } from '../../../src-shared/notebook/graph.ts';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import type { RunProgress } from '../../../src-shared/wire/runQueue.ts';
import { artifactUri } from '../../artifacts/uri.ts';
import { upstreamsOf } from '../../run/plan.ts';
import type { RunningState } from '../state/running.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { newestVersion } from './expected.ts';
import { nameOf } from './statuses.ts';
import { consumedOf } from './stored.ts';

type Sample = CellState['samples'][number];

/**
 * The estimated duration of a cell's next run, ms: that of the last run the store did not answer, else 0
 * (docs/spec/staleness-and-runs.md, 3).
 */
export function estimateMs(cell: CellState | undefined): number {
  return cell?.samples.findLast((sample) => !sample.cache_hit)?.duration_ms ?? 0;
}

/**
 * The cells that must run before a cell, and the cells it would make stale (docs/spec/staleness-and-runs.md, 3). Runs
 * nothing.
 */
export function impactOf(state: SessionState, id: CellId): ServerPayload<'impact_preview'> {
  const target = state.cells.get(id);
  const steps = [...upstreamsOf(id, state.graph.upstream), id].map((step) => {
    const cell = state.cells.get(step);
    const skip = step !== id && cell?.status === 'ready';
    return {
      cell_id: step,
      cell_name: cell === undefined ? step : nameOf(cell),
      reason:
        step === id ? ('target' as const) : cell?.record == null ? ('missing' as const) : ('stale' as const),
      skip,
      estimated_ms: skip ? 0 : estimateMs(cell),
    };
  });
  const below = target === undefined ? [] : descendantsOf(state.graph, id);
  return {
    target_cell_id: id,
    upstream: steps,
    downstream: below.flatMap((other) => {
      const cell = state.cells.get(other);
      if (cell?.status !== 'ready') return [];
      return [
        {
          cell_id: other,
          cell_name: nameOf(cell),
          current_status: cell.status,
          new_status: 'stale:upstream' as const,
        },
      ];
    }),
    estimated_ms: steps.reduce((sum, step) => sum + step.estimated_ms, 0),
  };
}

/** The progress of a run of several cells as one of them begins, with the estimated time of the rest. */
export function progressOf(state: SessionState, running: RunningState, current: CellId): RunProgress {
  const { mode, completed, total, waiting } = running;
  let remaining_ms = 0;
  let untimed = 0;
  for (const id of new Set([current, ...waiting])) {
    const cell = state.cells.get(id);
    // The store answers for a cell that is ready.
    if (mode === 'normal' && cell?.status === 'ready') continue;
    const estimate = estimateMs(cell);
    remaining_ms += estimate;
    if (cell?.samples.some((sample) => !sample.cache_hit) !== true) untimed += 1;
  }
  return { completed, total, remaining_ms, untimed };
}

/** The time that cache hits saved for one cell: each hit counts as the last executed run before it. */
function savedMs(samples: readonly Sample[]): number {
  let saved = 0;
  let lastRunMs = 0;
  for (const { cache_hit, duration_ms } of samples) {
    if (cache_hit) saved += Math.max(0, lastRunMs - duration_ms);
    else lastRunMs = duration_ms;
  }
  return saved;
}

/** Beyond the specification: what one cell cost over its newest runs. */
function costOf({ samples }: CellState) {
  const runs = samples.filter(({ cache_hit }) => !cache_hit);
  const last = runs.at(-1);
  return {
    total_ms: runs.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    saved_ms: savedMs(samples),
    hits: samples.length - runs.length,
    ...(last === undefined ? {} : { last_ms: last.duration_ms }),
    ...(last?.cpu_ms === undefined ? {} : { cpu_ms: last.cpu_ms }),
    ...(last?.peak_bytes === undefined ? {} : { peak_bytes: last.peak_bytes }),
    ...(last?.gpu_peak_bytes === undefined ? {} : { gpu_peak_bytes: last.gpu_peak_bytes }),
  };
}

/** The time spent, over the newest stored runs of each cell; of it, what results of the team's cache saved. */
export function profileOf(state: SessionState): ServerPayload<'profiling_summary'> {
  const cells = [...state.cells.values()].filter(({ language }) => LANGUAGES[language].runs);
  const samples = cells.flatMap((cell) => cell.samples);
  const hits = samples.filter(({ cache_hit }) => cache_hit).length;
  const fromTeam = samples.flatMap((sample) =>
    sample.team === undefined ? [] : [{ ...sample, team: sample.team }],
  );
  const sortedNames = (names: readonly (string | null)[]): string[] =>
    [...new Set(names)].filter((name) => name !== null).sort();
  return {
    total_execution_ms: samples.reduce((sum, one) => sum + (one.cache_hit ? 0 : one.duration_ms), 0),
    cache_hits: hits,
    cache_misses: samples.length - hits,
    cache_savings_ms: cells.reduce((sum, cell) => sum + savedMs(cell.samples), 0),
    team_cache_savings_ms: fromTeam.reduce(
      (sum, { team, duration_ms }) => sum + Math.max(0, team.saved_ms - duration_ms),
      0,
    ),
    team_cache_hits: fromTeam.length,
    team_contributors: sortedNames(fromTeam.map(({ team }) => team.principal)),
    team_promotions: sortedNames(fromTeam.map(({ team }) => team.promotion)),
    total_artifact_bytes: 0,
    cell_profiles: cells.map((cell) => {
      const stored = consumedOf(state, cell.id).map((name) => newestVersion(cell, name));
      const row = stored.find((one) => one !== null);
      return {
        cell_id: cell.id,
        cell_name: nameOf(cell),
        status: cell.status,
        duration_ms: cell.samples.at(-1)?.duration_ms ?? 0,
        cache_hit: cell.cacheHit,
        artifact_uri: row == null ? null : artifactUri(row.id, row.version),
        execution_count: cell.samples.length,
        ...costOf(cell),
      };
    }),
  };
}
