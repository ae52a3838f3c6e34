/**
 * The part of the session's reducer that passes messages between the widgets that a cell shows and its kept process.
 * They hold no reservation and change no result and no status: a run may be in progress, and stored values remain those
 * that the cell's source and inputs made.
 */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Reducer } from '../state/events.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { toAll, toOnly } from '../view/frames.ts';
import { reduction, refuse, unchanged } from './reductions.ts';

export const openWidgets: Reducer<'open_widgets'> = (state, { cellId, origin }) => {
  if (origin.kind !== 'socket') return unchanged(state);
  const what = { type: 'open', socketId: origin.socketId } as const;
  return reduction(state, [], [{ type: 'widget', cellId, what }]);
};

export const sendToWidgets: Reducer<'send_to_widgets'> = (state, event) => {
  const { cellId, liveId, message, origin } = event;
  if (origin.kind !== 'socket') return unchanged(state);
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) return refuse(state, event, untrusted);
  if (!state.cells.has(cellId)) {
    return refuse(state, event, new AppError('not_found', 'Cell not found', { cell_id: cellId }));
  }
  return reduction(state, [], [{ type: 'widget', cellId, what: { type: 'tell', liveId, message } }]);
};

export const onWidgetProcessChanged: Reducer<'widget_process_changed'> = (state, { cellId, liveId, why }) =>
  reduction(state, [
    toAll({
      type: 'widget_live',
      payload: { cell_id: cellId, live_id: liveId, ...(why === null ? {} : { why }) },
    }),
  ]);

export const onWidgetsOpened: Reducer<'widgets_opened'> = (state, { cellId, socketId, live }) =>
  reduction(state, [
    toOnly(socketId, {
      type: 'widget_live',
      payload:
        live === null
          ? { cell_id: cellId, live_id: null }
          : { cell_id: cellId, live_id: live.id, state: live.state },
    }),
  ]);

export const onWidgetMessages: Reducer<'widget_messages_received'> = (state, { cellId, liveId, messages }) =>
  reduction(state, [
    toAll({
      type: 'widget_messages',
      payload: { cell_id: cellId, live_id: liveId, messages: [...messages] },
    }),
  ]);
