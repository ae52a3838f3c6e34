import type { Reducer, ReducerTools, Reduction, SessionEvent, SessionEventType } from '../events.ts';
import type { SessionState } from '../state.ts';
import { dataLookedAt, dataSeen, filesSeen } from './data.ts';
import { append } from './draft.ts';
import { sourceEdited, sourceWritten, writeDue } from './edit.ts';
import {
  artifactLost,
  environmentJobChanged,
  environmentSeen,
  environmentSettled,
  modulesRead,
  rFound,
} from './environment.ts';
import { environmentJobCancelled, environmentJobRequested } from './environmentWork.ts';
import { filesFollowed, folderLost } from './follow.ts';
import { holdChanged, refuseHeld, untilReleased } from './hold.ts';
import {
  inspectAnswered,
  inspectAsked,
  inspectClosed,
  inspectCompleted,
  inspectCompletionAsked,
  inspectEnded,
  inspectIdle,
  inspectInterrupted,
  inspectOpened,
  inspectStarted,
} from './inspect.ts';
import { closeOutlived } from './inspectOutlived.ts';
import { closingAsked } from './lifecycle.ts';
import { impactRequested, profilingRequested } from './looks.ts';
import { stepOutdated } from './outdated.ts';
import { focusChanged, socketJoined, socketLeft, syncRequested, visitorLeft } from './presence.ts';
import { continueQueue, queueAdded, queueRemoved } from './queue.ts';
import {
  cancelRequested,
  graceEnded,
  planConfirmed,
  runAllRequested,
  runRequested,
  stepConsole,
  stepDelta,
  stepFinished,
  stepIterated,
  stepRemote,
  stepStopping,
  stepVariant,
} from './run.ts';
import { parallelCellsChosen, secretsFetched, secretsRefreshRequested } from './secrets.ts';
import { serverWorkersChanged } from './serverWorkers.ts';
import { resultsCollected } from './storage.ts';
import {
  cellAdded,
  cellDeleted,
  cellRestored,
  cellSettingsChanged,
  cellsReordered,
  changeSettings,
  notebookRenamed,
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
import { testsCancelled, testsEdited, testsRequested, testsWritten } from './tests.ts';
import { folderReplaced, folderTrusted } from './trust.ts';
import { variantAdded, variantChosen } from './variants.ts';
import { widgetUpdated } from './widget.ts';

/** Every session event, reduced once. */
const REDUCERS = {
  run_requested: runRequested,
  plan_confirmed: planConfirmed,
  run_all_requested: runAllRequested,
  queue_added: queueAdded,
  queue_removed: queueRemoved,
  cancel_requested: cancelRequested,
  tests_edited: testsEdited,
  tests_requested: testsRequested,
  tests_cancelled: testsCancelled,
  tests_written: testsWritten,
  tests_looked_at: testsLookedAt,
  tests_progressed: testsProgressed,
  tests_finished: testsFinished,
  pytest_installed: pytestInstalled,
  source_edited: sourceEdited,
  cell_added: cellAdded,
  cell_deleted: cellDeleted,
  cell_restored: cellRestored,
  cells_reordered: cellsReordered,
  notebook_renamed: notebookRenamed,
  variant_added: variantAdded,
  variant_chosen: variantChosen,
  cell_settings_changed: cellSettingsChanged,
  change_settings: changeSettings,
  secrets_refresh_requested: secretsRefreshRequested,
  secrets_fetched: secretsFetched,
  socket_joined: socketJoined,
  socket_left: socketLeft,
  focus_changed: focusChanged,
  sync_requested: syncRequested,
  widget_updated: widgetUpdated,
  impact_requested: impactRequested,
  profiling_requested: profilingRequested,
  parallel_cells_chosen: parallelCellsChosen,
  step_remote: stepRemote,
  inspect_opened: inspectOpened,
  inspect_asked: inspectAsked,
  inspect_completion_asked: inspectCompletionAsked,
  inspect_interrupted: inspectInterrupted,
  inspect_closed: inspectClosed,
  inspect_started: inspectStarted,
  inspect_answered: inspectAnswered,
  inspect_completed: inspectCompleted,
  inspect_ended: inspectEnded,
  inspect_idle: inspectIdle,
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
  environment_job_requested: environmentJobRequested,
  environment_job_cancelled: environmentJobCancelled,
  environment_job_changed: environmentJobChanged,
  environment_seen: environmentSeen,
  environment_settled: environmentSettled,
  grace_ended: graceEnded,
  visitor_left: visitorLeft,
  write_due: writeDue,
  hold_changed: holdChanged,
  closing_asked: closingAsked,
} satisfies { [T in SessionEventType]: Reducer<T> };

/** The next state, the frames and the I/O of one event. Pure: the same state and event give the same answer. */
export function reduce(state: SessionState, event: SessionEvent, tools: ReducerTools): Reduction {
  // The table is checked entry by entry above; the lookup loses which entry belongs to which event.
  const reducer = REDUCERS[event.type] as Reducer<SessionEventType>;
  const held = refuseHeld(state, event);
  if (held !== null) return held;
  const next = untilReleased(closeOutlived(state, reducer(state, event as never, tools)));
  const tested = next.state.testing.size === 0 ? next : append(next, continueTests(next.state, event.atMs));
  return continueQueue(state, tested, { atMs: event.atMs, tools });
}
