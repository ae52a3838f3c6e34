/** The part of the session's reducer that refuses runs and writes while the notebook's folder is on hold. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Effect, Reducer, Reduction, SessionEvent } from '../state/events.ts';
import { HELD_MESSAGE } from '../state/holds.ts';
import { REQUEST_RULES, rulesOf } from '../state/requestRules.ts';
import type { SessionRequest } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { closeAll } from './inspectOutlived.ts';
import { append, reduction, refuse, unchanged } from './reductions.ts';

/** The refusal of a request that the hold blocks; null if it passes. */
export function refuseHeld(state: SessionState, event: SessionEvent): Reduction | null {
  const { hold } = state;
  if (hold === null || !('origin' in event) || !('ticket' in event) || !isRequest(event)) return null;
  const kind = rulesOf(event.type).hold;
  if (kind === 'free' || (kind === 'write' && hold.phase === 'draining')) return null;
  const about = 'cellId' in event && event.cellId !== null ? { cell_id: event.cellId } : {};
  // Clients of the older reply look for the job next to the code (docs/spec/rest-notebooks.md).
  const job = kind === 'run' ? { environment_job: state.environment.job } : {};
  return refuse(state, event, new AppError('NOTEBOOK_QUIESCED', HELD_MESSAGE, { ...about, ...job }));
}

type AskedEvent = Extract<SessionEvent, { readonly type: SessionRequest['type'] }>;

function isRequest(event: SessionEvent): event is AskedEvent {
  return Object.hasOwn(REQUEST_RULES, event.type);
}

/**
 * A hold over the folder began, took effect or ended. Consoles end when it takes effect: their code could
 * write.
 */
export const onHoldChanged: Reducer<'hold_changed'> = (state, { phase }) => {
  if (phase === null) {
    if (state.hold === null) return unchanged(state);
    const due = state.hold.environmentDue && state.trusted && !state.closing;
    const effects: readonly Effect[] = due ? [{ type: 'start_environment' }] : [];
    return reduction({ ...state, hold: null }, [], effects);
  }
  const environmentDue = state.hold?.environmentDue ?? false;
  const next: SessionState = { ...state, hold: { phase, environmentDue } };
  return phase === 'held' ? append(reduction(next), closeAll(next, 'held')) : reduction(next);
};

/** In a held folder the first sync waits for the release. */
export function delaySyncUntilReleased(after: Reduction): Reduction {
  const { hold } = after.state;
  if (hold === null || !after.effects.some(({ type }) => type === 'start_environment')) return after;
  return {
    ...after,
    state: { ...after.state, hold: { ...hold, environmentDue: true } },
    effects: after.effects.filter(({ type }) => type !== 'start_environment'),
  };
}
