/** The part of the session's reducer that tells all windows what an agent did; nothing changes. */

import type { Reducer } from '../state/events.ts';
import { toAll } from '../view/frames.ts';
import { reduction } from './reductions.ts';

/** What an agent did, or its message (docs/spec/live-protocol.md, 5.1, agent_note). */
export const broadcastNote: Reducer<'broadcast_note'> = (state, { source, text }) =>
  reduction(state, [toAll({ type: 'agent_note', payload: { source, text } })]);

/** An action that an agent added to the undo record: open windows add it to their own stack. */
export const broadcastUndoEntry: Reducer<'broadcast_undo_entry'> = (state, { entry }) =>
  reduction(state, [toAll({ type: 'undo_recorded', payload: entry })]);
