import { AppError } from '../../../src-shared/wire/errors.ts';
import type { SessionRequest } from '../api.ts';
import type { Effect, Reducer, Reduction, SessionEvent } from '../events.ts';
import { HELD_WORDS } from '../holds.ts';
import type { SessionState } from '../state.ts';
import { append, reduction, refuse, unchanged } from './draft.ts';
import { closeAll } from './inspectOutlived.ts';

/**
 * What a hold does to a request (document 2, Quiesce hold): `run` begins work and is refused from the start,
 * `write` changes the folder and is refused once it is held, `free` goes on. A new request needs its line.
 */
const UNDER_HOLD = {
  run_requested: 'run',
  plan_confirmed: 'run',
  run_all_requested: 'run',
  queue_added: 'run',
  tests_requested: 'run',
  widget_updated: 'run',
  environment_job_requested: 'run',
  inspect_opened: 'run',
  inspect_asked: 'run',
  tests_edited: 'write',
  source_edited: 'write',
  cell_added: 'write',
  cell_deleted: 'write',
  cell_restored: 'write',
  cells_reordered: 'write',
  notebook_renamed: 'write',
  variant_added: 'write',
  variant_chosen: 'write',
  cell_settings_changed: 'write',
  mounts_changed: 'write',
  timeout_changed: 'write',
  connections_changed: 'write',
  env_changed: 'write',
  secret_manager_changed: 'write',
  secrets_refresh_requested: 'write',
  ai_changed: 'write',
  workers_changed: 'write',
  worker_chosen: 'write',
  parallel_cells_chosen: 'write',
  cancel_requested: 'free',
  queue_removed: 'free',
  tests_cancelled: 'free',
  environment_job_cancelled: 'free',
  socket_joined: 'free',
  socket_left: 'free',
  focus_changed: 'free',
  inspect_completion_asked: 'free',
  inspect_interrupted: 'free',
  inspect_closed: 'free',
  impact_requested: 'free',
  profiling_requested: 'free',
  sync_requested: 'free',
} satisfies Record<SessionRequest['type'], 'run' | 'write' | 'free'>;

/** The refusal of a request a hold does not let pass; null where it passes. */
export function refuseHeld(state: SessionState, event: SessionEvent): Reduction | null {
  const { hold } = state;
  if (hold === null || !('origin' in event) || !('ticket' in event) || !isRequest(event)) return null;
  const kind = UNDER_HOLD[event.type];
  if (kind === 'free' || (kind === 'write' && hold.phase === 'draining')) return null;
  const about = 'cellId' in event && event.cellId !== null ? { cell_id: event.cellId } : {};
  // Clients that know the older answer look for the job beside the code (API supplement 0).
  const job = kind === 'run' ? { environment_job: state.environment.job } : {};
  return refuse(state, event, new AppError('NOTEBOOK_QUIESCED', HELD_WORDS, { ...about, ...job }));
}

type AskedEvent = Extract<SessionEvent, { readonly type: SessionRequest['type'] }>;

function isRequest(event: SessionEvent): event is AskedEvent {
  return Object.hasOwn(UNDER_HOLD, event.type);
}

/** A hold over the folder began, closed in or ended. Consoles end where it holds: what they run could write. */
export const holdChanged: Reducer<'hold_changed'> = (state, { phase }) => {
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

/** The first sync of a folder that is held waits for the release. */
export function untilReleased(after: Reduction): Reduction {
  const { hold } = after.state;
  if (hold === null || !after.effects.some(({ type }) => type === 'start_environment')) return after;
  return {
    ...after,
    state: { ...after.state, hold: { ...hold, environmentDue: true } },
    effects: after.effects.filter(({ type }) => type !== 'start_environment'),
  };
}
