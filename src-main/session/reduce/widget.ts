/** The part of the session's reducer that takes new values of a widget cell's controls, and runs the cell. */

import type { WidgetValue } from '../../../src-shared/notebook/widgets.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { estimateMs } from '../keys/impact.ts';
import { acceptedValues } from '../keys/widgets.ts';
import type { Effect, EventOf, Reducer, Reduction } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { beginRun } from './advance.ts';
import { reduction, refuse, refuseClosing, withCell } from './reductions.ts';
import { whyBusy, whyInactive } from './whyRefused.ts';

/**
 * A step that takes longer is stopped for a newer value; a shorter one ends first, so that a drag shows
 * intermediate results.
 */
const STOPPED_FROM_MS = 1_000;

/**
 * Sets controls of a widget cell: a force run of the cell, then of its readers if the cell is `@live`
 * (docs/spec/widgets-and-app-view.md, 1). Values are stored only once the notebook is free for them; a live run of an
 * earlier move is no obstacle, it continues with the newest values. No environment is needed.
 */
export const updateWidget: Reducer<'update_widget'> = (state, event, tools) => {
  if (state.closing) return refuseClosing(state, event);
  const { cellId } = event;
  const context = { cell_id: cellId };
  const cell = state.cells.get(cellId);
  if (cell === undefined) return refuse(state, event, new AppError('not_found', 'Cell not found', context));
  if (cell.analysis.widget === null) {
    return refuse(state, event, new AppError('bad_request', 'This cell is not a widget cell.', context));
  }
  const values = acceptedValues(cell, event.values);
  if (values === null) {
    const message = 'No control of this cell accepts any of these values. Nothing was changed.';
    return refuse(state, event, new AppError('bad_request', message, context));
  }
  const { running } = state;
  const joins = running !== null && running.live !== null && !running.cancelling;
  const refused =
    whyUntrusted(state) ??
    whyInactive(state, cellId) ??
    (joins ? null : whyBusy(state, cellId)) ??
    (state.graphError === null ? null : new AppError('conflict', state.graphError, context));
  if (refused !== null) return refuse(state, event, refused);
  const set = withValues(state, cell, values);
  if (joins) return joinRun(set, event, [...values.keys()]);
  return beginRun(set, {
    runId: tools.newId(),
    kind: 'live',
    targetId: cellId,
    mode: 'force',
    continueOnError: true,
    planId: null,
    origin: event.origin,
    ticket: event.ticket,
    waiting: [],
    live: { pending: [cellId], changed: new Map([[cellId, new Set(values.keys())]]), planned: false },
    startedAtMs: event.atMs,
  });
};

function withValues(
  state: SessionState,
  { id, widgetValues }: CellState,
  values: ReadonlyMap<string, WidgetValue>,
): SessionState {
  return withCell(state, id, { widgetValues: new Map([...widgetValues, ...values]) });
}

/** Adds the values to the current run: several quick moves become one run of the newest. */
function joinRun(state: SessionState, event: EventOf<'update_widget'>, names: readonly string[]): Reduction {
  const { running } = state;
  const effects: Effect[] = [{ type: 'reply', ticket: event.ticket, reply: { kind: 'done' } }];
  if (running === null || running.live === null) return reduction(state, [], effects);
  const { pending, changed } = running.live;
  const { cellId } = event;
  const live = {
    planned: false,
    pending: [...pending.filter((id) => id !== cellId), cellId],
    changed: new Map(changed).set(cellId, new Set([...(changed.get(cellId) ?? []), ...names])),
  };
  const current = running.current === null ? undefined : state.cells.get(running.current.cellId);
  const isLong = estimateMs(current) > STOPPED_FROM_MS;
  if (isLong) effects.push({ type: 'cancel_step', runId: running.runId, manner: 'soon' });
  return reduction({ ...state, running: { ...running, live } }, [], effects);
}
