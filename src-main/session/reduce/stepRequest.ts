/** Makes the request for running one cell (its step) from the session's state, or says why the cell cannot run. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { isRemoteWorker } from '../../run/onWorker.ts';
import type {
  AnyStep,
  FanOutShape,
  LeafStorage,
  LoopShape,
  OnceShape,
  PythonUser,
  ReadingStep,
  StepRequest,
} from '../../run/step.ts';
import { aiOf } from '../keys/ai.ts';
import { dataUses, writesOutside } from '../keys/data.ts';
import { actualRunOf, envOf, relevantEnv, stepInputsOf, timeoutOf } from '../keys/expected.ts';
import { loopStepOf, whyNoLoop } from '../keys/loops.ts';
import { otherWritesOf } from '../keys/observed.ts';
import { importableModuleNames, setupCodeOf } from '../keys/setupCell.ts';
import { sqlUse } from '../keys/sqlCells.ts';
import { isRunnable, nameOf, needsPython } from '../keys/statuses.ts';
import { alwaysStoredNamesOf, consumedOf } from '../keys/stored.ts';
import { whyNoPython } from '../keys/whyNoProcess.ts';
import { widgetRunOf } from '../keys/widgets.ts';
import { remoteWorkerOf, whyNoWorker } from '../keys/workers.ts';
import type { RunningState } from '../state/running.ts';
import type { CellState, ExpectedRun, SessionState } from '../state/state.ts';
import { whyUnreadable } from '../state/unreadable.ts';
import { factsOf } from '../view/explainCell.ts';

/**
 * Cells whose stored results this one reads and which have none: the notebook was edited after the run was
 * planned. A force run uses the existing results (docs/spec/staleness-and-runs.md, 3).
 */
export function missingProducers(state: SessionState, cell: CellState): readonly CellId[] {
  if (state.running?.mode === 'force' || !isRunnable(state, cell)) return [];
  const missing = stepInputsOf(state, cell.id).filter(({ row }) => row === null);
  return [...new Set(missing.map(({ producerId }) => producerId))];
}

/** Why the cell cannot run here and now; null if it can. */
export function whyNotRunnable(state: SessionState, cell: CellState): string | null {
  const unreadable = whyUnreadable(state, cell);
  if (unreadable !== null) return unreadable;
  if (isRunnable(state, cell)) {
    if (needsPythonHere(state, cell) && state.environment.interpreter === null) return whyNoPython(state);
    return whyNoLoop(state, cell);
  }
  if (!state.options.languages.has(cell.language)) {
    return `This version of Cellar cannot run ${cell.language} cells yet. You can edit and save them.`;
  }
  return whyNoWorker(state, cell);
}

/** Whether its process is one of this machine's Python; `embedded://` is one, too. */
function needsPythonHere(state: SessionState, cell: CellState): boolean {
  return needsPython(cell) && !isRemoteWorker(remoteWorkerOf(state, cell));
}

/**
 * If the folder's modules keep changing, a run is keyed again at most this often; then its result is not
 * stored.
 */
const MAX_KEYINGS = 5;

/**
 * Everything the step needs, as of now. Null without an interpreter; the request was refused for that before.
 */
export function stepRequest(state: SessionState, cell: CellState): StepRequest | null {
  if (needsPythonHere(state, cell) && state.environment.interpreter === null) return null;
  return requestOfSkippedStep(state, cell);
}

/** The request of a step that will not run; it may fail because there is no interpreter. */
export function requestOfSkippedStep(state: SessionState, cell: CellState): StepRequest | null {
  const { running } = state;
  if (running === null) return null;
  // Ready as of the last walk, and not changed by this run since: a cell of this run carries its own key.
  const isFresh = (id: CellId): boolean =>
    !running.executed.has(id) && state.cells.get(id)?.status === 'ready';
  const run = actualRunOf(state, cell.id, isFresh);
  if (run === null) return null;
  const keyed = { running, run };
  switch (cell.language) {
    case 'python':
      return {
        ...readingStep(state, cell, keyed),
        ...pythonUser(state, cell),
        ...pythonShape(state, cell, keyed),
        language: cell.language,
        unlockedKey: isForced(running, cell) ? null : run.unlockedKey,
        packages: state.environment.packages,
        worker: remoteWorkerOf(state, cell),
        mutationDefines: cell.analysis.mutationDefines,
        below: namesBelow(state, cell),
      };
    case 'r':
      return {
        ...readingStep(state, cell, keyed),
        ...loopShape(state, cell),
        language: cell.language,
        worker: remoteWorkerOf(state, cell),
      };
    case 'prompt': {
      const ai = aiOf(state, envOf(state, cell));
      return { ...readingStep(state, cell, keyed), ...pythonUser(state, cell), language: cell.language, ai };
    }
    case 'sql':
      return { ...readingStep(state, cell, keyed), language: cell.language, sql: sqlUse(state, cell) };
    case 'widget': {
      const widget = widgetRunOf(cell, !bypassesStore(running, cell) || running.live !== null);
      return widget === null ? null : { ...anyStep(state, cell, keyed), language: cell.language, widget };
    }
    case 'markdown':
      return null;
    default:
      return cell.language satisfies never;
  }
}

interface KeyedRun {
  readonly running: RunningState;
  readonly run: ExpectedRun;
}

/** A force run computes its target whatever the store has. */
function isForced(running: RunningState, cell: CellState): boolean {
  return running.mode === 'force' && running.targetId === cell.id;
}

function bypassesStore({ mode, targetId, kind }: RunningState, cell: CellState): boolean {
  return mode !== 'normal' && (targetId === cell.id || kind === 'all' || kind === 'live');
}

function anyStep(state: SessionState, cell: CellState, { run }: KeyedRun): AnyStep {
  return {
    notebookId: state.notebookId,
    cellId: cell.id,
    source: cell.source,
    sourceHash: run.sourceHash,
    provenanceHash: run.provenanceHash,
    basis: run.basis,
    envHash: run.envHash,
    inputHashes: run.inputs,
    facts: { ...factsOf(state, cell), kept: alwaysStoredNamesOf(state, cell), basis: run.basis },
    consumed: consumedOf(state, cell.id),
    leaves: keptLeavesOf(state, cell),
    stored: cell.artifacts,
  };
}

function readingStep(state: SessionState, cell: CellState, keyed: KeyedRun): ReadingStep {
  const { running, run } = keyed;
  return {
    ...anyStep(state, cell, keyed),
    notebookDir: state.path,
    cellName: nameOf(cell),
    contentKey: isForced(running, cell) ? null : run.contentKey,
    inputs: stepInputsOf(state, cell.id),
    defines: cell.analysis.defines,
    useCache: !bypassesStore(running, cell),
    cacheable: isCacheable(state, cell),
    env: envOf(state, cell),
    data: dataUses(state, cell),
    timeoutSeconds: timeoutOf(state, cell),
    principal: running.origin.principal ?? null,
    otherWrites: otherWritesOf(state, cell.id),
    modules: running.outdated < MAX_KEYINGS ? state.modules : null,
  };
}

function pythonUser(state: SessionState, cell: CellState): PythonUser {
  return {
    interpreter: state.environment.interpreter,
    setup: setupCodeOf(state, cell, nameOf),
    moduleNames: importableModuleNames(state, cell),
  };
}

function loopShape(state: SessionState, cell: CellState): OnceShape | LoopShape {
  const loop = loopStepOf(state, cell);
  return loop === null ? { shape: 'once' } : { shape: 'loop', loop };
}

function pythonShape(
  state: SessionState,
  cell: CellState,
  { running, run: { variantKeys } }: KeyedRun,
): OnceShape | LoopShape | FanOutShape {
  if (variantKeys === null) return loopShape(state, cell);
  const withoutContent = { contentKey: null, unlockedKey: null };
  return {
    shape: 'fan_out',
    runs: isForced(running, cell) ? variantKeys.map((key) => ({ ...key, ...withoutContent })) : variantKeys,
  };
}

/** Names the cell or its code reads that only later cells define, with the names of those cells. */
function namesBelow(state: SessionState, cell: CellState): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...(state.graph.below.get(cell.id) ?? [])].map(([name, id]) => {
      const other = state.cells.get(id);
      return [name, other === undefined ? id : nameOf(other)];
    }),
  );
}

function isCacheable(state: SessionState, cell: CellState): boolean {
  return !cell.analysis.annotations.nocache && !writesOutside(state, cell);
}

/**
 * A value made from an environment variable may contain a key: it is not stored before another cell reads it.
 */
function keptLeavesOf(state: SessionState, cell: CellState): LeafStorage {
  const { leaves } = state.options;
  if (leaves !== 'cheap') return leaves;
  return isCacheable(state, cell) && !readsEnvironment(state, cell) ? 'cheap' : 'none';
}

/** The ways to read the environment in Python and R. */
const ENVIRONMENT = /\b(?:environb?|getenvb?)\b/;

/**
 * Whether a cell reads environment variables: by name, by a computed name, as a whole, or one set for this cell only.
 */
function readsEnvironment(state: SessionState, cell: CellState): boolean {
  return ENVIRONMENT.test(cell.source) || Object.keys(relevantEnv(state, cell)).length > 0;
}
