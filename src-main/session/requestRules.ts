import type { SessionRequest } from './api.ts';

/** How a session treats requests of one type. */
export interface RequestRules {
  /** Whether the reducer answers it; the others are answered as soon as they are handled. */
  readonly replies: boolean;
  /**
   * What a hold does to it (document 2, Quiesce hold): `run` begins work and is refused from the start, `write` changes
   * the folder and is refused once it is held, `free` goes on.
   */
  readonly hold: 'run' | 'write' | 'free';
  /** Whether it keeps the session open: a look does not (document 3, session lifetime). */
  readonly keepsAlive: boolean;
}

/** Every request's rules; a new request needs its row. */
export const REQUEST_RULES = {
  run_requested: { replies: true, hold: 'run', keepsAlive: true },
  plan_confirmed: { replies: true, hold: 'run', keepsAlive: true },
  run_all_requested: { replies: true, hold: 'run', keepsAlive: true },
  queue_added: { replies: false, hold: 'run', keepsAlive: true },
  tests_requested: { replies: true, hold: 'run', keepsAlive: true },
  widget_updated: { replies: true, hold: 'run', keepsAlive: true },
  environment_job_requested: { replies: true, hold: 'run', keepsAlive: true },
  inspect_opened: { replies: false, hold: 'run', keepsAlive: true },
  inspect_asked: { replies: false, hold: 'run', keepsAlive: true },
  tests_edited: { replies: true, hold: 'write', keepsAlive: true },
  source_edited: { replies: true, hold: 'write', keepsAlive: true },
  cell_added: { replies: true, hold: 'write', keepsAlive: true },
  cell_deleted: { replies: true, hold: 'write', keepsAlive: true },
  cell_restored: { replies: true, hold: 'write', keepsAlive: true },
  cells_reordered: { replies: true, hold: 'write', keepsAlive: true },
  notebook_renamed: { replies: true, hold: 'write', keepsAlive: true },
  variant_added: { replies: true, hold: 'write', keepsAlive: true },
  variant_chosen: { replies: true, hold: 'write', keepsAlive: true },
  cell_settings_changed: { replies: true, hold: 'write', keepsAlive: true },
  secrets_refresh_requested: { replies: true, hold: 'write', keepsAlive: true },
  parallel_cells_chosen: { replies: true, hold: 'write', keepsAlive: true },
  cancel_requested: { replies: true, hold: 'free', keepsAlive: true },
  queue_removed: { replies: false, hold: 'free', keepsAlive: true },
  tests_cancelled: { replies: true, hold: 'free', keepsAlive: true },
  environment_job_cancelled: { replies: true, hold: 'free', keepsAlive: true },
  socket_joined: { replies: false, hold: 'free', keepsAlive: false },
  socket_left: { replies: false, hold: 'free', keepsAlive: false },
  focus_changed: { replies: false, hold: 'free', keepsAlive: true },
  inspect_completion_asked: { replies: false, hold: 'free', keepsAlive: true },
  inspect_interrupted: { replies: false, hold: 'free', keepsAlive: true },
  inspect_closed: { replies: false, hold: 'free', keepsAlive: true },
  impact_requested: { replies: false, hold: 'free', keepsAlive: false },
  profiling_requested: { replies: false, hold: 'free', keepsAlive: false },
  sync_requested: { replies: false, hold: 'free', keepsAlive: false },
  change_settings: { replies: true, hold: 'write', keepsAlive: true },
} satisfies Record<SessionRequest['type'], RequestRules>;

/** The rules of a request's type. */
export function rulesOf(type: SessionRequest['type']): RequestRules {
  return REQUEST_RULES[type];
}
