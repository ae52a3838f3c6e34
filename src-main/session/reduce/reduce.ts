/** The session's reducer: a table from each type of event to the function that handles it. */

import type { Reducer, ReducerTools, Reduction, SessionEvent, SessionEventType } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { onEditSettled, setAutoRun } from './autoRun.ts';
import { onCloseRequested } from './closeSession.ts';
import { onDataChecked, onObservedFilesChecked, onStepDataChecked } from './data.ts';
import { editSource, onSourceWritten, onWriteDue } from './edit.ts';
import {
  onArtifactLost,
  onEnvironmentChanged,
  onEnvironmentJobChanged,
  onEnvironmentSettled,
  onModulesRead,
  onRVersionRead,
} from './environment.ts';
import { cancelEnvironmentJob, startEnvironmentJob } from './environmentWork.ts';
import { onFilesChanged, onFolderLost } from './follow.ts';
import { delaySyncUntilReleased, onHoldChanged, refuseHeld } from './hold.ts';
import {
  askConsole,
  closeConsole,
  completeConsole,
  interruptConsole,
  onInspectAnswered,
  onInspectCompleted,
  onInspectEnded,
  onInspectIdle,
  onInspectStarted,
  openConsole,
} from './inspect.ts';
import { closeOutlived } from './inspectOutlived.ts';
import {
  onWidgetMessages,
  onWidgetProcessChanged,
  onWidgetsOpened,
  openWidgets,
  sendToWidgets,
} from './liveWidgets.ts';
import { broadcastNote, broadcastUndoEntry } from './notes.ts';
import { onStepOutdated } from './outdated.ts';
import { focusCell, joinSocket, leaveSocket, onVisitorLeft, syncSocket } from './presence.ts';
import { addToQueue, continueQueue, moveInQueue, removeFromQueue } from './queue.ts';
import { append } from './reductions.ts';
import {
  cancelCell,
  confirmPlan,
  onGraceEnded,
  onStepConsole,
  onStepDelta,
  onStepFinished,
  onStepIterated,
  onStepRemote,
  onStepStopping,
  onStepVariant,
  runAll,
  runCell,
} from './run.ts';
import { limitParallelCells, onSecretsFetched, refreshSecrets } from './secrets.ts';
import { onServerWorkersChanged } from './serverWorkers.ts';
import { onResultsCollected } from './storage.ts';
import {
  addCell,
  changeCellSettings,
  changeSettings,
  deleteCell,
  onStructureChanged,
  onStructureRefused,
  renameNotebook,
  reorderCells,
  restoreCell,
} from './structure.ts';
import {
  continueTests,
  onPytestInstalled,
  onTestDataChecked,
  onTestsFinished,
  onTestsProgressed,
} from './testSteps.ts';
import { editTests, onTestsWritten, stopTests, testCell } from './tests.ts';
import { onFolderReplaced, onFolderTrusted } from './trust.ts';
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
  edit_settled: onEditSettled,
  cancel_cell: cancelCell,
  edit_tests: editTests,
  test_cell: testCell,
  stop_tests: stopTests,
  tests_written: onTestsWritten,
  test_data_checked: onTestDataChecked,
  tests_progressed: onTestsProgressed,
  tests_finished: onTestsFinished,
  pytest_installed: onPytestInstalled,
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
  secrets_fetched: onSecretsFetched,
  join: joinSocket,
  leave: leaveSocket,
  focus_cell: focusCell,
  sync: syncSocket,
  update_widget: updateWidget,
  view_impact: viewImpact,
  view_profiling: viewProfiling,
  broadcast_note: broadcastNote,
  broadcast_undo_entry: broadcastUndoEntry,
  limit_parallel_cells: limitParallelCells,
  step_remote: onStepRemote,
  open_console: openConsole,
  ask_console: askConsole,
  complete_console: completeConsole,
  interrupt_console: interruptConsole,
  close_console: closeConsole,
  inspect_started: onInspectStarted,
  inspect_answered: onInspectAnswered,
  inspect_completed: onInspectCompleted,
  inspect_ended: onInspectEnded,
  inspect_idle: onInspectIdle,
  open_widgets: openWidgets,
  send_to_widgets: sendToWidgets,
  widget_process_changed: onWidgetProcessChanged,
  widgets_opened: onWidgetsOpened,
  widget_messages_received: onWidgetMessages,
  step_console: onStepConsole,
  step_delta: onStepDelta,
  step_stopping: onStepStopping,
  step_variant: onStepVariant,
  step_data_checked: onStepDataChecked,
  data_checked: onDataChecked,
  observed_files_checked: onObservedFilesChecked,
  step_outdated: onStepOutdated,
  files_changed: onFilesChanged,
  folder_lost: onFolderLost,
  step_iterated: onStepIterated,
  server_workers_changed: onServerWorkersChanged,
  folder_trusted: onFolderTrusted,
  folder_replaced: onFolderReplaced,
  step_finished: onStepFinished,
  artifact_lost: onArtifactLost,
  results_collected: onResultsCollected,
  modules_read: onModulesRead,
  r_version_read: onRVersionRead,
  source_written: onSourceWritten,
  structure_changed: onStructureChanged,
  structure_refused: onStructureRefused,
  start_environment_job: startEnvironmentJob,
  cancel_environment_job: cancelEnvironmentJob,
  environment_job_changed: onEnvironmentJobChanged,
  environment_changed: onEnvironmentChanged,
  environment_settled: onEnvironmentSettled,
  grace_ended: onGraceEnded,
  visitor_left: onVisitorLeft,
  write_due: onWriteDue,
  hold_changed: onHoldChanged,
  close_requested: onCloseRequested,
} satisfies { [T in SessionEventType]: Reducer<T> };

/**
 * The next state, the frames and the I/O of one event. Pure: the same state and event give the same result.
 */
export function reduce(state: SessionState, event: SessionEvent, tools: ReducerTools): Reduction {
  // The table above is checked entry by entry; the lookup loses the link between entry and event.
  const reducer = REDUCERS[event.type] as Reducer<SessionEventType>;
  const refusal = refuseHeld(state, event);
  if (refusal !== null) return refusal;
  const next = delaySyncUntilReleased(closeOutlived(state, reducer(state, event as never, tools)));
  const tested = next.state.testing.size === 0 ? next : append(next, continueTests(next.state, event.atMs));
  return continueQueue(state, tested, { atMs: event.atMs, tools });
}
