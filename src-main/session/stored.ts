import type { CellId } from '../../src-shared/notebook/ids.ts';
import { loopOf } from '../../src-shared/notebook/loop.ts';
import { variantLabel } from '../../src-shared/notebook/variants.ts';
import type { SessionState } from './state.ts';

/** The variables later cells read. */
export function consumedOf(state: SessionState, id: CellId): readonly string[] {
  return state.graph.consumed.get(id) ?? [];
}

/** What a run of the cell stores whoever reads it: what later cells do, and a loop's carry (semantics 3.5). */
export function storedOf(state: SessionState, id: CellId): readonly string[] {
  const consumed = consumedOf(state, id);
  const cell = state.cells.get(id);
  const carry = cell === undefined ? undefined : loopOf(cell.analysis)?.carry;
  return carry === undefined || consumed.includes(carry) ? consumed : [...consumed, carry];
}

/** The labels that is kept under: a fan-out has one per variable and variant (semantics 3.4). */
export function storedLabels(state: SessionState, id: CellId): readonly string[] {
  const fanOut = state.graph.fanOuts.get(id);
  if (fanOut === undefined) return storedOf(state, id);
  return consumedOf(state, id).flatMap((name) =>
    fanOut.variants.map((variant) => variantLabel(name, variant)),
  );
}
