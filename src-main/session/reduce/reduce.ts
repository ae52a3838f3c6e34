/** The session's reducer: one table from event to handler. */

import type { Reducer, ReducerTools, Reduction, SessionEvent, SessionEventType } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { editSettled, setAutoRun } from './autoRun.ts';
import { dataLookedAt, dataSeen, filesSeen } from './data.ts';
import { append } from './draft.ts';
import { editSource, sourceWritten, writeDue } from './edit.ts';
import {
  artifactLost,
  environmentJobChanged,
  environmentSeen,
  environmentSettled,
  modulesRead,
  rFound,
} from './environment.ts';
import { cancelEnvironmentJob, startEnvironmentJob } from './environmentWork.ts';
import { filesFollowed, folderLost } from './follow.ts';
import { holdChanged, refuseHeld, untilReleased } from './hold.ts';
import {
  askConsole,
  closeConsole,
  completeConsole,
  inspectAnswered,
  inspectCompleted,
  inspectEnded,
  inspectIdle,
  inspectStarted,
  interruptConsole,
  openConsole,
} from './inspect.ts';
import { closeOutlived } from './inspectOutlived.ts';
import { closingAsked } from './lifecycle.ts';
import { openWidgets, tellWidgets, widgetsKept, widgetsOpened, widgetsSaid } from './liveWidgets.ts';
import { tellNote, tellUndo } from './notes.ts';
import { stepOutdated } from './outdated.ts';
import { focusCell, joinSocket, leaveSocket, syncSocket, visitorLeft } from './presence.ts';
import { addToQueue, continueQueue, moveInQueue, removeFromQueue } from './queue.ts';
import {
  cancelCell,
  confirmPlan,
  graceEnded,
  runAll,
  runCell,
  stepConsole,
  stepDelta,
  stepFinished,
  stepIterated,
  stepRemote,
  stepStopping,
  stepVariant,
} from './run.ts';
import { limitParallelCells, refreshSecrets, secretsFetched } from './secrets.ts';
import { serverWorkersChanged } from './serverWorkers.ts';
import { resultsCollected } from './storage.ts';
import {
  addCell,
  changeCellSettings,
  changeSettings,
  deleteCell,
  renameNotebook,
  reorderCells,
  restoreCell,
  structureChanged,
  structureRefused,
} from './structure.ts';
import {
  continueTests,
  pytestInstalled,
  testsFinished,
  testsLookedAt,
  testsProgressed,
} from './testSteps.ts';
import { editTests, stopTests, testCell, testsWritten } from './tests.ts';
import { folderReplaced, folderTrusted } from './trust.ts';
import { addVariant, chooseVariant } from './variants.ts';
import { viewImpact, viewProfiling } from './viewRequests.ts';
import { updateWidget } from './widget.ts';

/** Every session event, reduced once. */
const REDUCERS = {
  run_cell: runCell,
  confirm_plan: confirmPlan,
  run_all: runAll,
  add_to_queue: addToQueue,
  remove_from_queue: removeFromQueue,
  move_in_queue: moveInQueue,
  set_auto_run: setAutoRun,
  edit_settled: editSettled,
  cancel_cell: cancelCell,
  edit_tests: editTests,
  test_cell: testCell,
  stop_tests: stopTests,
  tests_written: testsWritten,
  tests_looked_at: testsLookedAt,
  tests_progressed: testsProgressed,
  tests_finished: testsFinished,
  pytest_installed: pytestInstalled,
  edit_source: editSource,
  add_cell: addCell,
  delete_cell: deleteCell,
  restore_cell: restoreCell,
  reorder_cells: reorderCells,
  rename_notebook: renameNotebook,
  add_variant: addVariant,
  choose_variant: chooseVariant,
  change_cell_settings: changeCellSettings,
  change_settings: changeSettings,
  refresh_secrets: refreshSecrets,
  secrets_fetched: secretsFetched,
  join: joinSocket,
  leave: leaveSocket,
  focus_cell: focusCell,
  sync: syncSocket,
  update_widget: updateWidget,
  view_impact: viewImpact,
  view_profiling: viewProfiling,
  tell_note: tellNote,
  tell_undo: tellUndo,
  limit_parallel_cells: limitParallelCells,
  step_remote: stepRemote,
  open_console: openConsole,
  ask_console: askConsole,
  complete_console: completeConsole,
  interrupt_console: interruptConsole,
  close_console: closeConsole,
  inspect_started: inspectStarted,
  inspect_answered: inspectAnswered,
  inspect_completed: inspectCompleted,
  inspect_ended: inspectEnded,
  inspect_idle: inspectIdle,
  open_widgets: openWidgets,
  tell_widgets: tellWidgets,
  widgets_kept: widgetsKept,
  widgets_opened: widgetsOpened,
  widgets_said: widgetsSaid,
  step_console: stepConsole,
  step_delta: stepDelta,
  step_stopping: stepStopping,
  step_variant: stepVariant,
  data_looked_at: dataLookedAt,
  data_seen: dataSeen,
  files_seen: filesSeen,
  step_outdated: stepOutdated,
  files_followed: filesFollowed,
  folder_lost: folderLost,
  step_iterated: stepIterated,
  server_workers_changed: serverWorkersChanged,
  folder_trusted: folderTrusted,
  folder_replaced: folderReplaced,
  step_finished: stepFinished,
  artifact_lost: artifactLost,
  results_collected: resultsCollected,
  modules_read: modulesRead,
  r_found: rFound,
  source_written: sourceWritten,
  structure_changed: structureChanged,
  structure_refused: structureRefused,
  start_environment_job: startEnvironmentJob,
  cancel_environment_job: cancelEnvironmentJob,
  environment_job_changed: environmentJobChanged,
  environment_seen: environmentSeen,
  environment_settled: environmentSettled,
  grace_ended: graceEnded,
  visitor_left: visitorLeft,
  write_due: writeDue,
  hold_changed: holdChanged,
  closing_asked: closingAsked,
} satisfies { [T in SessionEventType]: Reducer<T> };

/**
 * The next state, the frames and the I/O of one event. Pure: the same state and event give the same result.
 */
export function reduce(state: SessionState, event: SessionEvent, tools: ReducerTools): Reduction {
  // The table above is checked entry by entry; the lookup loses the link between entry and event.
  const reducer = REDUCERS[event.type] as Reducer<SessionEventType>;
  const refusal = refuseHeld(state, event);
  if (refusal !== null) return refusal;
  const next = untilReleased(closeOutlived(state, reducer(state, event as never, tools)));
  const tested = next.state.testing.size === 0 ? next : append(next, continueTests(next.state, event.atMs));
  return continueQueue(state, tested, { atMs: event.atMs, tools });
}
