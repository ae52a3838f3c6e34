/** The part of the session's reducer that applies the outcome of a step to its cell. */

import { parseArtifactId } from '../../../src-shared/notebook/artifactIds.ts';
import type { ArtifactRow } from '../../artifacts/artifact.ts';
import { parseArtifactUri } from '../../artifacts/uri.ts';
import { withoutFile } from '../../run/displays.ts';
import { reopenIdentity } from '../../run/reopenIdentity.ts';
import { readsValues, type StepOutcome, type StepRequest, unlockedKeyOf } from '../../run/step.ts';
import { versionsOf } from '../../run/storedVersions.ts';
import { withObservation } from '../keys/observed.ts';
import type { ResultKey } from '../keys/statuses.ts';
import { NO_CONSOLE } from '../keys/storedCell.ts';
import type { CellArtifacts, CellState, ConsoleOutput, SessionState } from '../state/state.ts';
import { shownRunsOf } from '../view/shownRuns.ts';
import { withCell } from './reductions.ts';

/** The current version and the newest three superseded ones, as in the store (docs/spec/provenance-and-cache.md, 2). */
const KEPT_VERSIONS = 4;
const KEPT_SAMPLES = 50;

/** The stored versions of a cell with these rows as the newest of their labels. */
export function withRows(state: SessionState, cell: CellState, rows: readonly ArtifactRow[]): CellArtifacts {
  if (rows.length === 0) return cell.artifacts;
  const next: Record<string, readonly ArtifactRow[]> = { ...cell.artifacts };
  for (const row of rows) {
    const label = parseArtifactId(state.notebookId, row.id, (name) => name === cell.id)?.label;
    if (label === undefined) continue;
    const earlier = versionsOf(next, label).map((one) => ({ ...one, state: 'superseded' as const }));
    next[label] = [row, ...earlier].slice(0, KEPT_VERSIONS);
  }
  return next;
}

function sampled(
  cell: CellState,
  outcome: Extract<StepOutcome, { kind: 'hit' | 'ran' }>,
): CellState['samples'] {
  const usage = outcome.kind === 'ran' ? outcome.usage : undefined;
  const team = outcome.kind === 'hit' ? outcome.team : undefined;
  const sample: CellState['samples'][number] = {
    duration_ms: Math.round(outcome.durationMs),
    cache_hit: outcome.kind === 'hit',
    ...(usage && { cpu_ms: Math.round(usage.cpu_seconds * 1_000), peak_bytes: usage.peak_bytes }),
    ...(usage?.gpu_peak_bytes === undefined ? {} : { gpu_peak_bytes: usage.gpu_peak_bytes }),
    ...(team === undefined ? {} : { team }),
  };
  return [...cell.samples, sample].slice(-KEPT_SAMPLES);
}

/** The output of the run behind the result. The session may have more of it than the store. */
function printedOf(
  cell: CellState,
  { console, logRun }: Extract<StepOutcome, { kind: 'hit' }>,
): ConsoleOutput {
  const isOtherRun = logRun !== undefined && cell.logRun !== null && logRun !== cell.logRun;
  // The text of another run would be shown as that of this result.
  if (console === null) return isOtherRun ? NO_CONSOLE : cell.console;
  const length = ({ stdout, stderr }: ConsoleOutput): number => stdout.length + stderr.length;
  const isSameRun = logRun !== undefined && logRun === cell.logRun;
  return isSameRun && length(cell.console) > length(console) ? cell.console : console;
}

/** The console to show when the text of the last success returns after an unsuccessful run. */
function resultConsoleOf({ resultConsole, shownRuns, console }: CellState): ConsoleOutput | null {
  return resultConsole ?? (shownRuns === null ? null : console);
}

function keyOf(request: StepRequest): ResultKey {
  const { provenanceHash, basis } = request;
  return {
    provenanceHash,
    basis,
    ...(readsValues(request)
      ? { contentKey: request.contentKey, unlockedKey: unlockedKeyOf(request) }
      : { contentKey: null, unlockedKey: null }),
    variantKeys: 'runs' in request ? request.runs : null,
    controlKeys: controlKeysOf(request),
  };
}

/** The keys of a widget's controls, by name; null for every other cell. */
export function controlKeysOf(request: StepRequest): ReadonlyMap<string, string> | null {
  if (!('widget' in request)) return null;
  return new Map(request.widget.controls.map(({ name, key }) => [name, key]));
}

/** Applies a finished step to its cell. `status` is set by the run and the walk. */
export function applyOutcome(state: SessionState, request: StepRequest, outcome: StepOutcome): SessionState {
  const after =
    outcome.kind === 'hit' || outcome.kind === 'ran'
      ? withObservation(state, {
          observation: outcome.observation,
          ...(outcome.kind === 'hit' ? { seen: outcome.seen } : {}),
        })
      : state;
  return appliedTo(after, request, outcome);
}

function appliedTo(state: SessionState, request: StepRequest, outcome: StepOutcome): SessionState {
  const cell = state.cells.get(request.cellId);
  if (cell === undefined) return state;
  switch (outcome.kind) {
    case 'hit':
    case 'ran': {
      const hit = outcome.kind === 'hit';
      const printed = hit ? printedOf(cell, outcome) : { stdout: outcome.stdout, stderr: outcome.stderr };
      const artifacts = withRows(state, cell, hit ? outcome.promoted : outcome.published);
      return withCell(state, request.cellId, {
        artifacts,
        shownRuns: shownRunsOf(state, { ...cell, artifacts }, keyOf(request)),
        resultConsole: null,
        record: {
          provenanceHash: request.provenanceHash,
          sourceHash: request.sourceHash,
          envHash: request.envHash,
          inputs: request.inputHashes,
          facts:
            outcome.observation == null ? request.facts : { ...request.facts, observed: outcome.observation },
          reopenIdentity: reopenIdentity(request, (outcome.endedAtMs ?? 0) - outcome.durationMs),
        },
        // A hit without a stored console keeps the last console and its log.
        logRun:
          hit && printed === cell.console && outcome.console === null
            ? cell.logRun
            : (outcome.logRun ?? null),
        lastRun:
          outcome.endedAtMs === undefined
            ? null
            : { atMs: outcome.endedAtMs, durationMs: Math.round(outcome.durationMs), cacheHit: hit },
        stoppedMs: null,
        lastTookMs: hit ? cell.lastTookMs : Math.round(outcome.durationMs),
        readyProvenance: request.provenanceHash,
        lastError: null,
        blocked: false,
        displays: outcome.displays.map(withoutFile),
        console: printed,
        cacheHit: hit,
        remote: hit ? cell.remote : (outcome.remote ?? null),
        method: outcome.method ?? 'cached',
        samples: sampled(cell, outcome),
      });
    }
    // The displays of the last success stay, hidden while the cell is in error: its old source shows them
    // again.
    case 'failed':
      return withCell(state, request.cellId, {
        artifacts: withRows(state, cell, outcome.published ?? []),
        lastError: {
          text: outcome.traceback ?? outcome.error,
          sourceHash: request.sourceHash,
          provenanceHash: request.provenanceHash,
        },
        resultConsole: resultConsoleOf(cell),
        stoppedMs: null,
        lastTookMs: Math.round(outcome.durationMs),
        readyProvenance: null,
        blocked: false,
        console: { stdout: outcome.stdout, stderr: outcome.stderr },
        logRun: outcome.logRun ?? null,
        cacheHit: false,
        remote: outcome.remote ?? null,
        method: 'error',
      });
    case 'cancelled':
      return withCell(state, request.cellId, {
        artifacts: withRows(state, cell, outcome.published ?? []),
        resultConsole: resultConsoleOf(cell),
        console: { stdout: outcome.stdout, stderr: outcome.stderr },
        logRun: outcome.logRun ?? null,
        remote: outcome.remote ?? null,
        stoppedMs: Math.round(outcome.durationMs),
        lastTookMs: Math.round(outcome.durationMs),
        blocked: false,
      });
    case 'input_lost': {
      const updated = withCell(state, cell.id, { artifacts: withRows(state, cell, outcome.published ?? []) });
      return withoutArtifact(updated, outcome.uri);
    }
    default:
      return outcome satisfies never;
  }
}

/** Removes a version with missing or damaged bytes: the cell that made it runs again. */
export function withoutArtifact(state: SessionState, uri: string): SessionState {
  const ref = parseArtifactUri(uri);
  const byName = new Map<string, CellState>(state.cells);
  const artifact =
    ref === null ? null : parseArtifactId(state.notebookId, ref.id, (name) => byName.has(name));
  const cell = byName.get(artifact?.cellId ?? '');
  if (ref === null || artifact === null || cell === undefined) return state;
  // An iteration: no status depends on it.
  if (!Object.hasOwn(cell.artifacts, artifact.label)) return state;
  const rows = versionsOf(cell.artifacts, artifact.label).filter((row) => row.version !== ref.version);
  return withCell(state, cell.id, {
    artifacts: { ...cell.artifacts, [artifact.label]: rows },
    readyProvenance: null,
  });
}
