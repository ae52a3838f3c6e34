import type { Reducer, ReducerTools, Reduction, SessionEvent, SessionEventType } from '../events.ts';
import type { SessionState } from '../state.ts';
import { sourceEdited, sourceWritten } from './edit.ts';
import { artifactLost, environmentJobChanged, environmentSettled } from './environment.ts';
import { filesFollowed, folderLost } from './follow.ts';
import { closingAsked } from './lifecycle.ts';
import { focusChanged, socketJoined, socketLeft, syncRequested, visitorLeft } from './presence.ts';
import {
  cancelRequested,
  graceEnded,
  planConfirmed,
  runAllRequested,
  runRequested,
  stepConsole,
  stepFinished,
  stepStopping,
} from './run.ts';
import {
  cellAdded,
  cellDeleted,
  cellRestored,
  cellsReordered,
  notebookRenamed,
  structureChanged,
  structureRefused,
} from './structure.ts';

/** Every session event, reduced once. */
const REDUCERS = {
  run_requested: runRequested,
  plan_confirmed: planConfirmed,
  run_all_requested: runAllRequested,
  cancel_requested: cancelRequested,
  source_edited: sourceEdited,
  cell_added: cellAdded,
  cell_deleted: cellDeleted,
  cell_restored: cellRestored,
  cells_reordered: cellsReordered,
  notebook_renamed: notebookRenamed,
  socket_joined: socketJoined,
  socket_left: socketLeft,
  focus_changed: focusChanged,
  sync_requested: syncRequested,
  step_console: stepConsole,
  step_stopping: stepStopping,
  files_followed: filesFollowed,
  folder_lost: folderLost,
  step_finished: stepFinished,
  artifact_lost: artifactLost,
  source_written: sourceWritten,
  structure_changed: structureChanged,
  structure_refused: structureRefused,
  environment_job_changed: environmentJobChanged,
  environment_settled: environmentSettled,
  grace_ended: graceEnded,
  visitor_left: visitorLeft,
  closing_asked: closingAsked,
} satisfies { [T in SessionEventType]: Reducer<T> };

/** The next state, the frames and the I/O of one event. Pure: the same state and event give the same answer. */
export function reduce(state: SessionState, event: SessionEvent, tools: ReducerTools): Reduction {
  // The table is checked entry by entry above; the lookup loses which entry belongs to which event.
  const reducer = REDUCERS[event.type] as Reducer<SessionEventType>;
  return reducer(state, event as never, tools);
}
