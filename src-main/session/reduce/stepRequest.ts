import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { KeptLeaves, StepRequest } from '../../run/step.ts';
import { aiOf } from '../keys/ai.ts';
import { dataUses, writesOutside } from '../keys/data.ts';
import { actualRunOf, envOf, relevantEnv, stepInputsOf, timeoutOf } from '../keys/expected.ts';
import { loopStepOf, whyNoLoop } from '../keys/loops.ts';
import { otherWritesOf } from '../keys/observed.ts';
import { moduleNamesBefore, setupCodeOf } from '../keys/setupCell.ts';
import { sqlUseOf } from '../keys/sqlCells.ts';
import { isRunnable, nameOf, needsPython } from '../keys/statuses.ts';
import { consumedOf, keptNamesOf } from '../keys/stored.ts';
import { whyNoPython } from '../keys/whyNoProcess.ts';
import { widgetStepOf } from '../keys/widgets.ts';
import { remoteWorkerOf, whyNoWorker } from '../keys/workers.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { whyUnreadable } from '../state/unreadable.ts';
import { factsOf } from '../view/explainCell.ts';

/**
 * Cells whose stored results this one reads and which have none: the notebook was edited after the run was
 * planned. A force run uses the existing results (staleness-and-runs 3).
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
    const isHere = remoteWorkerOf(state, cell) === null;
    if (isHere && needsPython(cell) && state.environment.interpreter === null) return whyNoPython(state);
    return whyNoLoop(state, cell);
  }
  if (!state.options.languages.has(cell.language)) {
    return `This version of Cellar cannot run ${cell.language} cells yet. You can edit and save them.`;
  }
  return whyNoWorker(state, cell);
}

/**
 * If the folder's modules keep changing, a run is keyed again at most this often; then its result is not
 * stored.
 */
const MOST_KEYINGS = 5;

const NO_INTERPRETER = { path: '', identity: '' };

/**
 * Everything the step needs, as of now. Null without an interpreter; the request was refused for that before.
 */
export function stepRequest(state: SessionState, cell: CellState): StepRequest | null {
  const isHere = remoteWorkerOf(state, cell) === null;
  if (isHere && needsPython(cell) && state.environment.interpreter === null) return null;
  return askedRequest(state, cell);
}

/** The request of a step that will not run; it may fail because there is no interpreter. */
export function askedRequest(state: SessionState, cell: CellState): StepRequest | null {
  const { running } = state;
  if (running === null) return null;
  const isTarget = running.targetId === cell.id;
  const force = running.mode === 'force' && isTarget;
  // Ready as of the last walk, and not changed by this run since: a cell of this run carries its own key.
  const isFresh = (id: CellId): boolean =>
    !running.executed.has(id) && state.cells.get(id)?.status === 'ready';
  const run = actualRunOf(state, cell.id, isFresh);
  const { interpreter } = state.environment;
  const worker = remoteWorkerOf(state, cell);
  if (run === null) return null;
  const bypass = running.mode !== 'normal' && (isTarget || running.kind === 'all' || running.kind === 'live');
  const { analysis } = cell;
  return {
    principal: running.origin.principal ?? null,
    notebookId: state.notebookId,
    notebookDir: state.path,
    cellId: cell.id,
    cellName: nameOf(cell),
    setup: setupCodeOf(state, cell, nameOf),
    language: cell.language,
    source: cell.source,
    sourceHash: run.sourceHash,
    provenanceHash: run.provenanceHash,
    contentKey: force ? null : run.contentKey,
    unlockedKey: force ? null : run.unlockedKey,
    packages: state.environment.packages,
    basis: run.basis,
    envHash: run.envHash,
    inputHashes: run.inputs,
    facts: { ...factsOf(state, cell), kept: keptNamesOf(state, cell), basis: run.basis },
    moduleNames: moduleNamesBefore(state, cell),
    inputs: stepInputsOf(state, cell.id),
    consumed: consumedOf(state, cell.id),
    leaves: keptLeavesOf(state, cell),
    mutationDefines: analysis.mutationDefines,
    below: namesBelow(state, cell),
    defines: analysis.defines,
    useCache: !bypass,
    cacheable: isCacheable(state, cell),
    stored: cell.artifacts,
    loop: loopStepOf(state, cell),
    fanOut:
      run.variantKeys?.map((key) => (force ? { ...key, contentKey: null, unlockedKey: null } : key)) ?? null,
    variant: null,
    widget: widgetStepOf(cell, !bypass || running.live !== null),
    env: envOf(state, cell),
    data: dataUses(state, cell),
    timeoutSeconds: timeoutOf(state, cell),
    interpreter: interpreter ?? NO_INTERPRETER,
    ai: cell.language === 'prompt' ? aiOf(state, envOf(state, cell)) : null,
    // A widget imports nothing: its step need not check the folder.
    modules: running.outdated < MOST_KEYINGS && cell.language !== 'widget' ? state.modules : null,
    sql: sqlUseOf(state, cell),
    worker,
    otherWrites: otherWritesOf(state, cell.id),
  };
}

/** Names the cell or its code reads that only later cells define, with the names of those cells. */
function namesBelow(state: SessionState, cell: CellState): StepRequest['below'] {
  const below = state.graph.below.get(cell.id);
  if (below === undefined || cell.language !== 'python') return undefined;
  return Object.fromEntries(
    [...below].map(([name, id]) => {
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
function keptLeavesOf(state: SessionState, cell: CellState): KeptLeaves {
  const { leaves } = state.options;
  if (leaves !== 'cheap') return leaves;
  return isCacheable(state, cell) && !readsEnvironment(state, cell) ? 'cheap' : 'none';
}

/** The ways to read the environment in Python and R. */
const ENVIRONMENT = /\b(?:environb?|getenvb?)\b/;

/** Also by a computed name, as a whole, or a variable that is set for this cell only. */
function readsEnvironment(state: SessionState, cell: CellState): boolean {
  return ENVIRONMENT.test(cell.source) || Object.keys(relevantEnv(state, cell)).length > 0;
}
