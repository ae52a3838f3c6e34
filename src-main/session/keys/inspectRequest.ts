/** Makes the request that opens a console inside a cell, with the cell's inputs and stored values. */

import { variantLabel } from '../../../src-shared/notebook/variants.ts';
import type { StepInput } from '../../run/step.ts';
import type { InspectOpening } from '../state/inspectOpening.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { dataUses } from './data.ts';
import { envOf, newestVersion, stepInputsOf } from './expected.ts';
import { setupCodeOf } from './setupCell.ts';
import { nameOf } from './statuses.ts';
import { storedOf } from './stored.ts';

/** Null without an interpreter; the request was refused for that before. */
export function inspectOpening(state: SessionState, cell: CellState): InspectOpening | null {
  const { interpreter } = state.environment;
  if (interpreter === null) return null;
  const own = ownValues(state, cell);
  const defined = new Set(own.map(({ variable }) => variable));
  const inputs = stepInputsOf(state, cell.id).filter(({ variable }) => !defined.has(variable));
  const values = [...inputs, ...own];
  return {
    cellId: cell.id,
    notebookId: state.notebookId,
    interpreter,
    env: envOf(state, cell),
    cwd: state.path,
    setup: setupCodeOf(state, cell, nameOf),
    values: values.filter(({ row }) => row !== null),
    data: dataUses(state, cell),
    lastDisplay: cell.displays.findLast(({ artifact_uri }) => artifact_uri !== null)?.artifact_uri ?? null,
    missing: missingMessage(state, cell, values),
  };
}

/** The cell's stored values, one per name, in a fan-out one per name and variant. */
function ownValues(state: SessionState, cell: CellState): readonly StepInput[] {
  const variants = state.graph.fanOuts.get(cell.id)?.variants ?? null;
  const names = [...new Set([...cell.analysis.defines, ...storedOf(state, cell.id)])];
  const own = names.flatMap((variable) =>
    (variants ?? [null]).map((variant) => ({
      variable,
      producerId: cell.id,
      row: newestVersion(cell, variantLabel(variable, variant)),
      variant,
      perRun: false,
    })),
  );
  // A name without a stored value must not hide an input: `x = x + 1` reads it.
  return own.filter(({ row }) => row !== null);
}

function missingMessage(
  state: SessionState,
  cell: CellState,
  values: readonly StepInput[],
): Readonly<Record<string, string>> {
  const messages: Record<string, string> = {};
  for (const { variable, producerId, row } of values) {
    if (row !== null) continue;
    const producer = state.cells.get(producerId);
    const name = producer === undefined ? producerId : nameOf(producer);
    messages[variable] = `Not stored. Run ${name} to create it.`;
  }
  const existing = new Set(values.map(({ variable }) => variable));
  for (const name of cell.analysis.defines) {
    if (existing.has(name)) continue;
    messages[name] =
      cell.record === null
        ? 'The cell has not run yet.'
        : 'Not stored, because no cell below reads it. Show it on the last line, or read it in a cell below.';
  }
  return messages;
}
