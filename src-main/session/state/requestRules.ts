/** The table of rules for each type of request: who replies, what a hold refuses, and what changes the structure. */

import type { SessionRequest } from './requests.ts';

/** How a session treats requests of one type. */
interface RequestRules {
  /** Whether the reducer replies; other requests get their reply as soon as they are handled. */
  readonly replies: boolean;
  /**
   * The effect of a hold (docs/spec/rest-notebooks.md, 4): `run` starts work and is refused from the start, `write`
   * changes the folder and is refused once the hold is in effect, `free` is allowed.
   */
  readonly hold: 'run' | 'write' | 'free';
  /** Whether it keeps the session open: reading does not (docs/spec/live-protocol.md, 7). */
  readonly keepsAlive: boolean;
}

/** Every request's rules; a new request needs its row. */
export const REQUEST_RULES = {
  run_cell: { replies: true, hold: 'run', keepsAlive: true },
  confirm_plan: { replies: true, hold: 'run', keepsAlive: true },
  run_all: { replies: true, hold: 'run', keepsAlive: true },
  add_to_queue: { replies: false, hold: 'run', keepsAlive: true },
  // In a notebook under a hold nothing is queued, and no user requested these runs: not refused.
  edit_settled: { replies: true, hold: 'free', keepsAlive: true },
  test_cell: { replies: true, hold: 'run', keepsAlive: true },
  update_widget: { replies: true, hold: 'run', keepsAlive: true },
  start_environment_job: { replies: true, hold: 'run', keepsAlive: true },
  open_console: { replies: false, hold: 'run', keepsAlive: true },
  ask_console: { replies: false, hold: 'run', keepsAlive: true },
  edit_tests: { replies: true, hold: 'write', keepsAlive: true },
  edit_source: { replies: true, hold: 'write', keepsAlive: true },
  add_cell: { replies: true, hold: 'write', keepsAlive: true },
  delete_cell: { replies: true, hold: 'write', keepsAlive: true },
  restore_cell: { replies: true, hold: 'write', keepsAlive: true },
  reorder_cells: { replies: true, hold: 'write', keepsAlive: true },
  rename_notebook: { replies: true, hold: 'write', keepsAlive: true },
  add_variant: { replies: true, hold: 'write', keepsAlive: true },
  choose_variant: { replies: true, hold: 'write', keepsAlive: true },
  change_cell_settings: { replies: true, hold: 'write', keepsAlive: true },
  refresh_secrets: { replies: true, hold: 'write', keepsAlive: true },
  limit_parallel_cells: { replies: true, hold: 'write', keepsAlive: true },
  set_auto_run: { replies: true, hold: 'write', keepsAlive: true },
  cancel_cell: { replies: true, hold: 'free', keepsAlive: true },
  remove_from_queue: { replies: false, hold: 'free', keepsAlive: true },
  move_in_queue: { replies: true, hold: 'free', keepsAlive: true },
  stop_tests: { replies: true, hold: 'free', keepsAlive: true },
  cancel_environment_job: { replies: true, hold: 'free', keepsAlive: true },
  join: { replies: false, hold: 'free', keepsAlive: false },
  leave: { replies: false, hold: 'free', keepsAlive: false },
  focus_cell: { replies: false, hold: 'free', keepsAlive: true },
  complete_console: { replies: false, hold: 'free', keepsAlive: true },
  interrupt_console: { replies: false, hold: 'free', keepsAlive: true },
  close_console: { replies: false, hold: 'free', keepsAlive: true },
  open_widgets: { replies: false, hold: 'free', keepsAlive: false },
  send_to_widgets: { replies: false, hold: 'run', keepsAlive: true },
  view_impact: { replies: false, hold: 'free', keepsAlive: false },
  view_profiling: { replies: false, hold: 'free', keepsAlive: false },
  broadcast_note: { replies: false, hold: 'free', keepsAlive: true },
  broadcast_undo_entry: { replies: false, hold: 'free', keepsAlive: false },
  sync: { replies: false, hold: 'free', keepsAlive: false },
  change_settings: { replies: true, hold: 'write', keepsAlive: true },
} satisfies Record<SessionRequest['type'], RequestRules>;

/** The rules of a request's type. */
export function rulesOf(type: SessionRequest['type']): RequestRules {
  return REQUEST_RULES[type];
}
