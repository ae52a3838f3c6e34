/** The part of the session's reducer that adds, moves and deletes cells, and changes settings. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { isSourceTooLong } from '../../../src-shared/wire/routes/params.ts';
import { sourceProblem } from '../../notebook/file/cellFile.ts';
import { inFileOrder, relink } from '../keys/relink.ts';
import { walkStatuses } from '../keys/statuses.ts';
import { whyNotSet } from '../keys/whyNotSet.ts';
import { hintEffects } from '../keys/workers.ts';
import type { Effect, EventOf, Reducer, Reduction } from '../state/events.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { isTested } from '../state/testing.ts';
import {
  notebookStateFrame,
  presenceFrames,
  refusalFrames,
  statusFrames,
  toAll,
  variantAddedFrame,
} from '../view/frames.ts';
import { viewDagUpdate } from '../view/view.ts';
import { viewApp } from '../view/viewApp.ts';
import { askForModules, reduction, refuse, refuseClosing } from './reductions.ts';
import { isInRun } from './run.ts';
import { fetchAgain } from './secrets.ts';
import { deletedVariant } from './variants.ts';

type StructureRequest = EventOf<
  'add_cell' | 'restore_cell' | 'reorder_cells' | 'rename_notebook' | 'change_cell_settings'
>;

/**
 * Structure is stored in the file: it changes there first, and the state follows with `structure_changed`.
 */
function requestChange(state: SessionState, event: StructureRequest): Reduction {
  if (state.closing) return refuseClosing(state, event);
  const change = { kind: 'as_requested', request: event } as const;
  return reduction(state, [], [{ type: 'change_structure', ticket: event.ticket, change }]);
}

export const addCell: Reducer<'add_cell'> = (state, event) => {
  if (event.afterId !== null && !state.cells.has(event.afterId)) {
    return refuse(
      state,
      event,
      new AppError('bad_request', `Cannot add a cell after ${event.afterId}: there is no such cell.`),
    );
  }
  const problem = event.source === undefined ? null : whyNoSource(event.source);
  if (problem !== null) return refuse(state, event, new AppError('bad_request', problem));
  return requestChange(state, event);
};

function whyNoSource(source: string): string | null {
  if (isSourceTooLong(source)) return 'Cell source exceeds 1MB limit';
  const problem = sourceProblem(source);
  return problem === null ? null : `The source of the new cell ${problem}.`;
}

export const deleteCell: Reducer<'delete_cell'> = (state, event) => {
  const context = { cell_id: event.cellId };
  const cell = state.cells.get(event.cellId);
  if (cell === undefined) {
    return refuse(state, event, new AppError('not_found', 'Cell not found', context));
  }
  if (isInRun(state, event.cellId)) {
    return refuse(
      state,
      event,
      new AppError('cell_busy', 'The cell is running. Stop it before you delete it.', context),
    );
  }
  if (isTested(state, event.cellId)) {
    const message = 'The tests of this cell are running. Stop them before you delete the cell.';
    return refuse(state, event, new AppError('cell_busy', message, context));
  }
  if (state.closing) return refuseClosing(state, event);
  const variant = deletedVariant(state, event.cellId);
  const change = { kind: 'delete', request: event, cell, variant } as const;
  return reduction(state, [], [{ type: 'change_structure', ticket: event.ticket, change }]);
};

export const restoreCell: Reducer<'restore_cell'> = (state, event) => {
  const { cellId } = event;
  if (!state.cells.has(cellId)) return requestChange(state, event);
  const message = `Cell ${cellId} is not deleted, so there is nothing to restore.`;
  return refuse(state, event, new AppError('conflict', message, { cell_id: cellId }));
};

export const reorderCells: Reducer<'reorder_cells'> = (state, event) => requestChange(state, event);

export const changeCellSettings: Reducer<'change_cell_settings'> = (state, event) => {
  const context = { cell_id: event.cellId };
  if (state.cells.has(event.cellId)) return requestChange(state, event);
  return refuse(state, event, new AppError('not_found', 'Cell not found', context));
};

export const changeSettings: Reducer<'change_settings'> = (state, event) => {
  const refusal = whyNotSet(state, event.change);
  if (refusal !== null) return refuse(state, event, refusal);
  if (state.closing) return refuseClosing(state, event);
  const change = { kind: 'change_settings', request: event } as const;
  return reduction(state, [], [{ type: 'change_structure', ticket: event.ticket, change }]);
};

export const renameNotebook: Reducer<'rename_notebook'> = (state, event) => requestChange(state, event);

/** The file has changed: cells follow its order, graph and statuses follow the cells. */
export const onStructureChanged: Reducer<'structure_changed'> = (state, event) => {
  const reply = { type: 'reply', ticket: event.ticket, reply: event.reply } as const;
  const renamed: SessionState = { ...state, file: event.file };
  if (event.change === 'renamed') return reduction(renamed, [], [reply]);
  if (typeof event.change === 'object') {
    const { of } = event.change;
    if (of === 'secret_manager') return fetchAgain(renamed, event.ticket, event.reply);
    // The other windows of the app show the layout as it is now; it changes no status.
    if (of === 'app')
      return reduction(renamed, [toAll({ type: 'app_layout', payload: viewApp(renamed.file) })], [reply]);
    // Other sockets get no frame about settings (docs/spec/live-protocol.md, 5.1), only the statuses that they change.
    const withStatuses = walkStatuses(renamed);
    const hints = of === 'worker' ? hintEffects(withStatuses, withStatuses.cells.values(), 'select') : [];
    return reduction(withStatuses, statusFrames(state, withStatuses), [reply, ...hints]);
  }
  const cells = new Map<CellId, CellState>(state.cells);
  for (const id of event.removed) cells.delete(id);
  for (const cell of event.added) cells.set(cell.id, cell);
  const merged: SessionState = { ...renamed, cells };
  const after = walkStatuses(relink({ ...merged, cells: inFileOrder(merged) }));
  const frames = after.sockets.size === 0 ? [] : structureFrames({ before: state, after }, event.change);
  // A restored cell has a console to write to disk again; a new one has none.
  const back = event.change === 'restored' ? event.added.map(({ id }) => id) : [];
  const effects: Effect[] = [
    reply,
    { type: 'save_runtime', cellIds: [...event.removed, ...back] },
    ...askForModules(after, event.added),
  ];
  const { running } = state;
  // It was started while the deletion was in progress: its result is not needed, and the run continues
  // without it.
  if (running?.current != null && event.removed.includes(running.current.cellId)) {
    effects.push({ type: 'cancel_step', runId: running.runId, manner: 'soon' });
  }
  return reduction(after, frames, effects);
};

function structureFrames(
  { before, after }: { readonly before: SessionState; readonly after: SessionState },
  change: EventOf<'structure_changed'>['change'],
): readonly AddressedFrame[] {
  switch (change) {
    case 'variant_chosen':
      return [
        toAll({ type: 'dag_update', payload: viewDagUpdate(after, null) }),
        ...statusFrames(before, after),
      ];
    case 'variant_added':
      return [toAll(variantAddedFrame(after)), ...statusFrames(before, after)];
    default:
      return [toAll(notebookStateFrame(after)), ...presenceFrames(after)];
  }
}

export const onStructureRefused: Reducer<'structure_refused'> = (state, event) =>
  reduction(state, refusalFrames(event.origin, event.error), [
    { type: 'reply', ticket: event.ticket, reply: { kind: 'refused', error: event.error } },
  ]);
