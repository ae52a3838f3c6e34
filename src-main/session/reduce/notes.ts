/** Reducer: messages to all windows about actions of a client without a window; they change nothing. */

import type { Reducer } from '../state/events.ts';
import { toAll } from '../view/frames.ts';
import { reduction } from './draft.ts';

/** What an agent did or said (docs/spec/live-protocol.md, 5.1, agent_note). */
export const broadcastNote: Reducer<'broadcast_note'> = (state, { source, text }) =>
  reduction(state, [toAll({ type: 'agent_note', payload: { source, text } })]);

/** An action that an agent added to the undo record: open windows add it to their own stack. */
export const broadcastUndoEntry: Reducer<'broadcast_undo_entry'> = (state, { entry }) =>
  reduction(state, [toAll({ type: 'undo_recorded', payload: entry })]);
