/** Caches, per cell, the keys that a run would have now, as long as nothing that they depend on changes. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { ModuleFile } from '../../language/modules/closure.ts';
import { defaultsOf } from '../state/defaults.ts';
import type { CellState, ExpectedRun, KeyInputs, ProducerInputs, SessionState } from '../state/state.ts';
import { dataText } from './data.ts';
import { keyedRun } from './expected.ts';
import { modulesOf } from './modules.ts';
import { setupCellFor } from './setupCell.ts';
import { sqlText } from './sqlCells.ts';

function producerOf(
  state: SessionState,
  id: CellId,
  expected: ReadonlyMap<CellId, ExpectedRun>,
): ProducerInputs {
  const cell = state.cells.get(id);
  return {
    id,
    analysis: cell?.analysis,
    artifacts: cell?.artifacts,
    consumed: state.graph.consumed.get(id),
    fanOut: state.graph.fanOuts.get(id),
    run: expected.get(id),
  };
}

function madeOf(
  state: SessionState,
  cell: CellState,
  { run, expected }: { readonly run: ExpectedRun; readonly expected: ReadonlyMap<CellId, ExpectedRun> },
): KeyInputs {
  const upstream = state.graph.upstream.get(cell.id);
  return {
    run,
    analysis: cell.analysis,
    entry: cell.entry,
    widgetValues: cell.widgetValues,
    defaults: defaultsOf(state.file),
    serverWorkers: state.options.serverWorkers,
    lockHash: state.environment.lockHash,
    workerLockHash: state.environment.workerLockHash,
    packages: state.environment.packages,
    data: dataText(state, cell),
    sql: sqlText(state, cell),
    graph: state.graph,
    upstream,
    wiring: state.graph.wiring.get(cell.id),
    bundles: state.graph.bundles.get(cell.id),
    fanOut: state.graph.fanOuts.get(cell.id),
    modules: modulesOf(state, cell),
    setup: setupCellFor(state, cell)?.analysis,
    producers: (upstream ?? []).map((id) => producerOf(state, id, expected)),
  };
}

/** Whether no input has changed. Runs for every cell at every walk, so it allocates nothing. */
function holdsStill(
  then: KeyInputs,
  cell: CellState,
  { state, expected }: { readonly state: SessionState; readonly expected: ReadonlyMap<CellId, ExpectedRun> },
): boolean {
  const { graph } = state;
  const isSame =
    then.analysis === cell.analysis &&
    then.entry === cell.entry &&
    then.widgetValues === cell.widgetValues &&
    then.defaults === defaultsOf(state.file) &&
    then.serverWorkers === state.options.serverWorkers &&
    then.lockHash === state.environment.lockHash &&
    then.workerLockHash === state.environment.workerLockHash &&
    then.packages === state.environment.packages &&
    (then.graph === graph || isLinkedAlike(then, cell.id, graph)) &&
    then.modules === modulesOf(state, cell) &&
    then.setup === setupCellFor(state, cell)?.analysis &&
    then.data === dataText(state, cell) &&
    then.sql === sqlText(state, cell);
  if (!isSame) return false;
  for (const { id, run, analysis, artifacts } of then.producers) {
    const maker = state.cells.get(id);
    const isAlike =
      run === expected.get(id) && analysis === maker?.analysis && artifacts === maker?.artifacts;
    if (!isAlike) return false;
  }
  return true;
}

/** Whether the cell has the same links, and its producers give the same results. */
function isLinkedAlike(then: KeyInputs, id: CellId, graph: SessionState['graph']): boolean {
  return (
    then.upstream === graph.upstream.get(id) &&
    then.wiring === graph.wiring.get(id) &&
    then.bundles === graph.bundles.get(id) &&
    then.fanOut === graph.fanOuts.get(id) &&
    then.producers.every(
      ({ id: above, consumed, fanOut }) =>
        consumed === graph.consumed.get(above) && fanOut === graph.fanOuts.get(above),
    )
  );
}

/**
 * The keys a run would have now, with their inputs. Returns the result of the last walk, without hashing, if
 * no input changed, and its run if the changed inputs make no difference. @param expected of the upstream
 * cells
 */
export function cachedRunOf(
  state: SessionState,
  id: CellId,
  expected: ReadonlyMap<CellId, ExpectedRun>,
): KeyInputs | null {
  const cell = state.cells.get(id);
  if (cell === undefined) return null;
  const then = state.made.get(id);
  const isKnown = then !== undefined && then.run === state.expected.get(id);
  if (isKnown && holdsStill(then, cell, { state, expected })) {
    return then.graph === state.graph ? then : { ...then, graph: state.graph };
  }
  const run = keyedRun(state, cell, expected);
  return madeOf(state, cell, { run: isKnown && sameRun(then.run, run) ? then.run : run, expected });
}

function sameRun(a: ExpectedRun, b: ExpectedRun): boolean {
  return (
    a.provenanceHash === b.provenanceHash &&
    a.contentKey === b.contentKey &&
    a.unlockedKey === b.unlockedKey &&
    a.basis === b.basis &&
    a.sourceHash === b.sourceHash &&
    a.envHash === b.envHash &&
    sameList(a.inputs, b.inputs) &&
    sameVariantKeys(a.variantKeys, b.variantKeys) &&
    sameModules(a.modules, b.modules)
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function sameModules(a: readonly ModuleFile[], b: readonly ModuleFile[]): boolean {
  return (
    a.length === b.length && a.every(({ path, digest }, i) => path === b[i]?.path && digest === b[i]?.digest)
  );
}

function sameVariantKeys(a: ExpectedRun['variantKeys'], b: ExpectedRun['variantKeys']): boolean {
  if (a === b) return true;
  return (
    a?.length === b?.length &&
    (a ?? []).every((key, i) => {
      const other = b?.[i];
      return (
        key.variant === other?.variant &&
        key.contentKey === other.contentKey &&
        key.unlockedKey === other.unlockedKey &&
        key.basis === other.basis
      );
    })
  );
}
