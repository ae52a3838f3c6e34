/** Checks the health of workers for the Workers panel, and remembers the last checks of each. */

import type { WorkerEntry } from '../../../../src-shared/wire/workers.ts';
import { keepLatest } from '../../../lib/keepLatest.ts';
import { type Probe, probeWorker } from '../call/probeWorker.ts';

/**
 * How long an answer is used before the worker is asked again, unless a refresh is requested
 * (docs/spec/remote-execution.md, 6).
 */
const FRESH_MS = 5_000;
const KEPT_PROBES = 6;
/** The maximum number of recorded URLs: they come from notebooks, and a program may open many of them. */
const MAX_URLS = 500;

/** The recorded health of the worker at a URL: a part of its catalog entry. */
export type KnownHealth = Pick<
  WorkerEntry,
  | 'health'
  | 'health_checked_at'
  | 'last_error'
  | 'health_history'
  | 'probe_count'
  | 'healthy_probe_count'
  | 'unavailable_probe_count'
  | 'unknown_probe_count'
  | 'consecutive_failures'
  | 'last_healthy_at'
  | 'last_unavailable_at'
  | 'last_unknown_at'
  | 'last_status_change_at'
  | 'last_probe_duration_ms'
  | 'reported'
>;

export const NEVER_CHECKED: KnownHealth = {
  health: 'unknown',
  health_checked_at: null,
  last_error: null,
  health_history: [],
  probe_count: 0,
  healthy_probe_count: 0,
  unavailable_probe_count: 0,
  unknown_probe_count: 0,
  consecutive_failures: 0,
  last_healthy_at: null,
  last_unavailable_at: null,
  last_unknown_at: null,
  last_status_change_at: null,
  last_probe_duration_ms: null,
};

export interface WorkersHealth {
  /** Checks all these URLs at once; `refresh` also checks those with a recent answer. */
  look(
    urls: readonly string[],
    options: { readonly refresh: boolean },
  ): Promise<ReadonlyMap<string, KnownHealth>>;
}

/** Records the health of workers. Only for display: runs do not depend on it. */
export function createWorkersHealth({
  probe = probeWorker,
  now = Date.now,
}: {
  readonly probe?: (healthUrl: string) => Promise<Probe>;
  readonly now?: () => number;
} = {}): WorkersHealth {
  const recorded = new Map<string, KnownHealth>();
  const checks = new Map<string, Promise<KnownHealth>>();

  async function checkOne(url: string, refresh: boolean): Promise<KnownHealth> {
    const pending = checks.get(url);
    if (pending !== undefined) return pending;
    const before = recorded.get(url) ?? NEVER_CHECKED;
    const isGood = before.health_checked_at !== null && now() - before.health_checked_at < FRESH_MS;
    if (isGood && !refresh) return before;
    const check = probe(url).then((result) => {
      const after = withProbe(before, result, now());
      keepLatest(recorded, [url, after], MAX_URLS);
      return after;
    });
    checks.set(url, check);
    try {
      return await check;
    } finally {
      checks.delete(url);
    }
  }

  return {
    async look(urls, { refresh }) {
      const all = [...new Set(urls)];
      const results = await Promise.all(all.map((url) => checkOne(url, refresh)));
      return new Map(all.map((url, i) => [url, results[i] ?? NEVER_CHECKED]));
    },
  };
}

/**
 * The health after another check. A warming worker counts as unknown and as a failure
 * (docs/spec/remote-execution.md, 6).
 */
function withProbe(before: KnownHealth, probe: Probe, atMs: number): KnownHealth {
  const { health, error, durationMs, reported } = probe;
  const isUnknown = health === 'unknown' || health === 'warming';
  const entry = { checked_at: atMs, health, error, duration_ms: durationMs };
  const changed = before.probe_count === 0 || before.health !== health;
  const { reported: _, ...others } = before;
  return {
    ...others,
    health,
    health_checked_at: atMs,
    last_error: error,
    health_history: [entry, ...before.health_history].slice(0, KEPT_PROBES),
    probe_count: before.probe_count + 1,
    healthy_probe_count: before.healthy_probe_count + (health === 'healthy' ? 1 : 0),
    unavailable_probe_count: before.unavailable_probe_count + (health === 'unavailable' ? 1 : 0),
    unknown_probe_count: before.unknown_probe_count + (isUnknown ? 1 : 0),
    consecutive_failures: health === 'healthy' ? 0 : before.consecutive_failures + 1,
    last_healthy_at: health === 'healthy' ? atMs : before.last_healthy_at,
    last_unavailable_at: health === 'unavailable' ? atMs : before.last_unavailable_at,
    last_unknown_at: isUnknown ? atMs : before.last_unknown_at,
    last_status_change_at: changed ? atMs : before.last_status_change_at,
    last_probe_duration_ms: durationMs,
    ...(reported === null ? {} : { reported }),
  };
}
