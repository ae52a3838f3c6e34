/** Says why a request to run a cell is refused now: environment, missing cell, or other work of the notebook. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { needsPython } from '../keys/statuses.ts';
import { whyNoProcess, whyNoRun } from '../keys/whyNoProcess.ts';
import type { SessionState } from '../state/state.ts';
import { cellUnderTest } from '../state/testing.ts';

/** Why the notebook cannot run this cell at all now, even with nothing else running; null if it can. */
export function whyNotNow(state: SessionState, cellId: CellId | null): AppError | null {
  const context = cellId === null ? {} : { cell_id: cellId };
  const cells = cellId === null ? [...state.cells.values()] : [state.cells.get(cellId)];
  const isForPython = cells.length === 0 || cells.some((cell) => cell === undefined || needsPython(cell));
  const noProcess = isForPython ? whyNoProcess(state, context) : whyNoRun(state, context);
  if (noProcess !== null) return noProcess;
  if (cellId !== null && !state.cells.has(cellId))
    return new AppError('not_found', 'Cell not found', context);
  return cellId === null ? null : whyInactive(state, cellId);
}

/** Runs and live tests share one reservation (docs/spec/live-protocol.md, 6). */
export function whyBusy(state: SessionState, cellId: CellId | null): AppError | null {
  const { running } = state;
  const busy = running === null ? cellUnderTest(state) : (running.current?.cellId ?? running.targetId ?? '');
  if (busy === null) return null;
  const context = cellId === null ? {} : { cell_id: cellId };
  return new AppError('notebook_busy', `Notebook is already executing cell ${busy}`, context);
}

/**
 * Why nothing can run now, or null (docs/spec/rest-notebooks.md, 2.5; docs/spec/live-protocol.md, 6: environment before
 * existence before reservation).
 */
export function whyRefused(state: SessionState, cellId: CellId | null): AppError | null {
  const refused = whyNotNow(state, cellId) ?? whyBusy(state, cellId);
  if (refused !== null || state.graphError === null) return refused;
  return new AppError('conflict', state.graphError, cellId === null ? {} : { cell_id: cellId });
}

/** An inactive variant does not run. */
export function whyInactive(state: SessionState, id: CellId): AppError | null {
  if (!state.graph.inactive.has(id)) return null;
  const variant = state.cells.get(id)?.analysis.annotations.variant;
  const message = `The variant \`${variant?.name}\` of \`${variant?.group}\` is not active. Make it active to run it.`;
  return new AppError('conflict', message, { cell_id: id });
}
