/** Lists the cells that a run of the whole notebook includes. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { inRunOrder } from '../../run/plan.ts';
import type { SessionState } from '../state/state.ts';
import { whyUnreadable } from '../state/unreadable.ts';

/**
 * The cells of a run of the whole notebook, in order. An empty cell has nothing to run, unless others wait
 * for it with `@after`: they are ready only when it is.
 */
export function cellsOfRunAll(state: SessionState): readonly CellId[] {
  const cells = [...state.cells.values()].filter(
    (cell) =>
      LANGUAGES[cell.language].runs &&
      !state.graph.inactive.has(cell.id) &&
      (!cell.analysis.isEmpty ||
        whyUnreadable(state, cell) !== null ||
        (state.graph.downstream.get(cell.id) ?? []).length > 0),
  );
  return inRunOrder(
    cells.map((cell) => cell.id),
    state.graph.upstream,
  );
}
