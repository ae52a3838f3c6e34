/** Decides whether a cell runs as a loop, and with what count, condition and start value. */

import { isCellId } from '../../../src-shared/notebook/ids.ts';
import { loopOf } from '../../../src-shared/notebook/loop.ts';
import { isWritable } from '../../mount/dataItem.ts';
import { withSetupHash } from '../../run/setupHash.ts';
import type { LoopStep } from '../../run/step.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { dataOf } from './data.ts';
import { setupCellFor } from './setupCell.ts';
import { remoteWorkerOf } from './workers.ts';

/** How the cell runs as a loop; null if it runs once. */
export function loopStepOf(state: SessionState, cell: CellState): LoopStep | null {
  const loop = loopOf(cell.analysis);
  const { iterationHash } = cell.analysis;
  if (loop === null || iterationHash === null) return null;
  const { startFromCell, startFromIter } = loop;
  return {
    carry: loop.carry,
    maxIter: loop.maxIter,
    untilExpr: loop.untilExpr,
    start:
      startFromCell === null || startFromIter === null
        ? null
        : { cellId: startFromCell, iteration: startFromIter },
    iterationHash: withSetupHash(iterationHash, setupCellFor(state, cell)?.analysis.sourceHash ?? null),
  };
}

/** Why a loop cell cannot run; null if it can, or is not a loop (docs/spec/analysis-and-graph.md, 3.5). */
export function whyNoLoop(state: SessionState, cell: CellState): string | null {
  const loop = loopOf(cell.analysis);
  if (loop === null) return null;
  const worker = remoteWorkerOf(state, cell);
  if (worker !== null) {
    return `A loop runs on this machine only, not on \`${worker.name}\`: add \`# @worker local\` to the cell.`;
  }
  const { fetches, datasets } = cell.analysis.annotations;
  const writable = dataOf(state, cell).find(isWritable);
  if (writable !== undefined) {
    return `A loop cannot write to a mount. Make \`${writable.name}\` read-only, or write in a cell below.`;
  }
  if (fetches[0] !== undefined) {
    return `A loop cannot use @fetch. Fetch \`${fetches[0].name}\` in a cell above and read its value here.`;
  }
  if (datasets[0] !== undefined) {
    return `A loop cannot use @dataset. Read \`${datasets[0].variable}\` in a cell above and use its value here.`;
  }
  const seeded = state.graph.wiring.get(cell.id)?.has(loop.carry) ?? false;
  if (seeded) return null;
  return loop.startFromCell === null
    ? `The loop has no initial value of \`${loop.carry}\`. Define \`${loop.carry}\` in a cell above, or start from an iteration of another loop with start_from=<cell>@iter=<number>.`
    : whyNoStart(state, cell, { carry: loop.carry, from: loop.startFromCell });
}

function whyNoStart(
  state: SessionState,
  cell: CellState,
  { carry, from }: { readonly carry: string; readonly from: string },
): string {
  const prefix = `start_from names \`${from}\``;
  if (from === cell.id) return `${prefix}, which is this cell. Use a loop above it.`;
  const other = isCellId(from) ? [...state.cells.values()].find(({ id }) => id === from) : undefined;
  if (other === undefined)
    return `${prefix}, but there is no such cell. Use the id of a loop above this cell.`;
  const its = loopOf(other.analysis);
  if (its === null) return `${prefix}, which is not a loop. Use a loop above this cell.`;
  if (its.carry !== carry) {
    return `${prefix}, which carries \`${its.carry}\`, not \`${carry}\`. Use a loop with the same carry.`;
  }
  return `${prefix}, which is below this cell. Move it above this cell, or use another loop.`;
}
