/**
 * The part of the session's reducer that answers queries about what a run would do and how long runs took. Only the
 * sender gets a reply, and nothing changes.
 */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { impactOf, profileOf } from '../keys/impact.ts';
import type { Reducer } from '../state/events.ts';
import { toOnly } from '../view/frames.ts';
import { reduction, refuse, unchanged } from './reductions.ts';

export const viewImpact: Reducer<'view_impact'> = (state, event) => {
  const { cellId, origin } = event;
  if (origin.kind !== 'socket') return unchanged(state);
  if (!state.cells.has(cellId)) {
    return refuse(state, event, new AppError('not_found', 'Cell not found', { cell_id: cellId }));
  }
  const payload = impactOf(state, cellId);
  return reduction(state, [toOnly(origin.socketId, { type: 'impact_preview', payload })]);
};

export const viewProfiling: Reducer<'view_profiling'> = (state, { origin }) =>
  origin.kind === 'socket'
    ? reduction(state, [toOnly(origin.socketId, { type: 'profiling_summary', payload: profileOf(state) })])
    : unchanged(state);
