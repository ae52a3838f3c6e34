import { createHash } from 'node:crypto';
import type { CellId } from '../../src-shared/notebook/ids.ts';
import type { Explanation } from '../../src-shared/wire/routes/extensions.ts';
import { findStored } from '../run/cache.ts';
import { explain } from '../run/explain.ts';
import type { RunFacts } from '../run/facts.ts';
import { consumedOf, latest, readsOf, relevantEnv, timeoutOf, workerOf } from './expected.ts';
import type { CellState, SessionState } from './state.ts';
import { isRunnable, nameOf } from './statuses.ts';

/** What a run of the cell would use now. Digests are those the store has; no bytes are read. */
export function factsOf(state: SessionState, cell: CellState): RunFacts {
  return {
    sourceHash: cell.analysis.sourceHash,
    inputs: readsOf(state, cell.id).map(({ producerId, variable }) => ({
      name: variable,
      cellId: producerId,
      sha256: latest(state.cells.get(producerId), variable)?.contentSha256 ?? null,
    })),
    lockHash: state.environment.lockHash,
    timeoutSeconds: timeoutOf(state, cell),
    env: Object.fromEntries(
      Object.entries(relevantEnv(state, cell)).map(([name, value]) => [name, digestOf(name, value)]),
    ),
    worker: workerOf(state, cell),
  };
}

/** Enough to tell that a value changed; values themselves may be secret. */
function digestOf(name: string, value: string): string {
  return createHash('sha256').update(`${name}\0${value}`).digest('hex').slice(0, 16);
}

/** Why a cell is as it is (docs/extensions.md). Null for an unknown cell. */
export function explainCell(state: SessionState, id: CellId): Explanation | null {
  const cell = state.cells.get(id);
  if (cell === undefined) return null;
  const { record, lastRun } = cell;
  const about = {
    cell_id: id,
    status: cell.status,
    last_run:
      lastRun === null
        ? null
        : {
            at: new Date(lastRun.atMs).toISOString(),
            duration_ms: lastRun.durationMs,
            cache_hit: lastRun.cacheHit,
          },
  };
  if (cell.language === 'markdown') {
    return { ...about, verdict: 'fresh', headline: 'This is text: there is nothing to run.', inputs: [] };
  }
  const explained = explain({
    status: cell.status,
    last: record?.facts ?? null,
    now: factsOf(state, cell),
    hasRun: record !== null,
    wasHit: cell.cacheHit,
    wouldHit: wouldHit(state, cell),
    failed: cell.lastError !== null && cell.lastError.sourceHash === cell.analysis.sourceHash,
    pending: new Set(
      (state.graph.upstream.get(id) ?? []).filter((up) => state.cells.get(up)?.status !== 'ready'),
    ),
    nameOf: (other) => {
      const from = state.cells.get(other as CellId); // unknown ids are answered by themselves
      return from === undefined ? other : nameOf(from);
    },
  });
  return { ...about, ...explained };
}

/** Whether the store would answer a run now: its upstreams are ready and some kept version has this key. */
function wouldHit(state: SessionState, cell: CellState): boolean {
  const expected = state.expected.get(cell.id);
  const upstream = state.graph.upstream.get(cell.id) ?? [];
  if (expected === undefined || !isRunnable(state, cell) || cell.analysis.annotations.nocache) return false;
  if (upstream.some((id) => state.cells.get(id)?.status !== 'ready')) return false;
  const found = findStored({
    stored: cell.artifacts,
    consumed: consumedOf(state, cell.id),
    provenanceHash: expected.provenanceHash,
    contentKey: expected.contentKey,
    depth: 'all',
  });
  return found !== null;
}
