/** Gathers what the inspector explains about a cell's status: its last run compared with one now. */

import { createHash } from 'node:crypto';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Explanation } from '../../../src-shared/wire/routes/extensions.ts';
import { itemName } from '../../mount/dataItem.ts';
import { explain } from '../../run/explain.ts';
import type { RunFacts } from '../../run/facts.ts';
import { observedRows } from '../../run/observed/explainObserved.ts';
import { readDigest } from '../../run/shared/pinned.ts';
import { codeChangesOf } from '../keys/codeChanges.ts';
import { dataUses, writesOutside } from '../keys/data.ts';
import { newestVersion, relevantEnv, timeoutOf, workerOf } from '../keys/expected.ts';
import { currentStateFor, observationsOf } from '../keys/observed.ts';
import { changedPackagesOf } from '../keys/packages.ts';
import { readsOf } from '../keys/reads.ts';
import { keyedSourceHash, setupCellFor } from '../keys/setupCell.ts';
import { isRunnable, nameOf, storedResultsOf } from '../keys/statuses.ts';
import { unstoredReadNames } from '../keys/stored.ts';
import type { CellState, SessionState } from '../state/state.ts';

/** The inputs a run of the cell would have now. Digests are those in the store; no bytes are read. */
export function factsOf(state: SessionState, cell: CellState): RunFacts {
  const setup = setupCellFor(state, cell);
  return {
    sourceHash: cell.analysis.sourceHash,
    inputs: readsOf(state, cell.id).map(({ producerId, label }) => ({
      name: label,
      cellId: producerId,
      sha256: readDigest(newestVersion(state.cells.get(producerId), label)),
    })),
    lockHash: state.environment.lockHash,
    timeoutSeconds: timeoutOf(state, cell),
    env: Object.fromEntries(
      Object.entries(relevantEnv(state, cell)).map(([name, value]) => [name, digestOf(name, value)]),
    ),
    worker: workerOf(state, cell),
    data: dataUses(state, cell).map(({ item, fact }) => ({
      kind: item.kind,
      name: item.name,
      uri: itemName(item),
      token: item.fixed ?? fact?.token ?? null,
    })),
    modules: (state.expected.get(cell.id)?.modules ?? []).map(({ path, digest }) => ({ path, digest })),
    ...(setup === null ? {} : { setup: { cellId: setup.id, sourceHash: setup.analysis.sourceHash } }),
  };
}

/** Shows that a value changed without the value, which may be secret. */
function digestOf(name: string, value: string): string {
  return createHash('sha256').update(`${name}\0${value}`).digest('hex').slice(0, 16);
}

/** The explanation, with why the result of the cell's last run is not shared with the team, if it ran since opening. */
export function withSharing(
  explanation: Explanation | null,
  notShared: ReadonlyMap<string, string | null> | undefined,
): Explanation | null {
  const why = explanation === null ? null : (notShared?.get(explanation.cell_id) ?? null);
  return explanation === null || why === null ? explanation : { ...explanation, not_shared: why };
}

/** Why a cell has its status (docs/extensions.md). Null for an unknown cell. */
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
  if (!LANGUAGES[cell.language].runs) {
    return {
      ...about,
      verdict: 'fresh',
      headline: 'A text cell does not run.',
      inputs: [],
      code: [],
    };
  }
  if (state.graph.inactive.has(id)) return { ...about, ...notChosen(state, cell), inputs: [], code: [] };
  const expected = state.expected.get(id);
  const explained = explain({
    status: cell.status,
    last: record?.facts ?? null,
    now: factsOf(state, cell),
    hasRun: record !== null,
    hasStarted: cell.logRun !== null,
    wasHit: cell.cacheHit,
    wouldHit: wouldHit(state, cell),
    failed: cell.lastError !== null && cell.lastError.sourceHash === keyedSourceHash(state, cell),
    pending: new Set(
      (state.graph.upstream.get(id) ?? []).filter((up) => state.cells.get(up)?.status !== 'ready'),
    ),
    unkept: unstoredReadNames(state, cell).map((name) => ({ name, readers: readersOf(state, id, name) })),
    stopped: cell.stoppedMs !== null,
    packages: expected === undefined ? null : changedPackagesOf(state, cell, expected),
    observed: observationsOf(cell).flatMap((observation) =>
      observedRows(observation, currentStateFor(state, cell), outdatedFiles(cell)),
    ),
    nameOf: (other) => {
      const from = state.cells.get(other as CellId); // unknown ids are returned as they are
      return from === undefined ? other : nameOf(from);
    },
  });
  // Nothing changed for a cell that is ready.
  const code = cell.status === 'ready' ? [] : codeChangesOf(state, cell);
  return { ...about, ...explained, code };
}

/** Files the last run read whose writer upstream must run again, with the writer's display name. */
function outdatedFiles(cell: CellState): ReadonlyMap<string, string> {
  const files = (cell.causality?.details ?? []).flatMap(({ type, file, cell_name }) =>
    type === 'input_changed' && file !== undefined ? [[file, cell_name ?? ''] as const] : [],
  );
  return new Map(files);
}

/** The cells that read a variable of a cell. */
function readersOf(state: SessionState, id: CellId, name: string): readonly CellId[] {
  return (state.graph.downstream.get(id) ?? []).filter((reader) =>
    readsOf(state, reader).some((read) => read.producerId === id && read.variable === name),
  );
}

/** An inactive variant does not run: its inputs are not computed. */
function notChosen(
  state: SessionState,
  { id, record }: CellState,
): Pick<Explanation, 'verdict' | 'headline'> {
  const group = state.graph.groups.find(({ members }) => members.some(({ cellId }) => cellId === id));
  const headline = `This variant is not active, so it does not run. The active variant of \`${group?.group}\` is \`${group?.activeName}\`.`;
  return { verdict: record === null ? 'never_run' : 'stale', headline };
}

/** Whether the store would answer a run now: its upstreams are ready and a stored version has this key. */
function wouldHit(state: SessionState, cell: CellState): boolean {
  const expected = state.expected.get(cell.id);
  const upstream = state.graph.upstream.get(cell.id) ?? [];
  if (expected === undefined || !isRunnable(state, cell) || cell.analysis.annotations.nocache) return false;
  if (writesOutside(state, cell) || outdatedFiles(cell).size > 0) return false;
  if (upstream.some((id) => state.cells.get(id)?.status !== 'ready')) return false;
  return storedResultsOf(state, cell, { depth: 'all', expected }) !== null;
}
