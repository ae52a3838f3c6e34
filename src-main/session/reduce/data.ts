/** The part of the session's reducer that takes the results of checks of external data and of files that runs used. */

import type { DataFact } from '../../mount/dataItem.ts';
import { withFacts } from '../keys/data.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { Reducer, Reduction } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { statusFrames } from '../view/frames.ts';
import { advance, launch } from './advance.ts';
import { finish } from './finish.ts';
import { reduction, unchanged } from './reductions.ts';

/**
 * The data for the next step was checked: the step starts, unless the run or the cell has ended in the meantime.
 */
export const onStepDataChecked: Reducer<'step_data_checked'> = (state, event) => {
  if (state.running === null) return applyDataFacts(state, event.facts);
  const checked = withFacts(state, event.facts);
  const { running } = checked;
  if (running === null || running.runId !== event.runId || running.lookingFor !== event.cellId) {
    return reduction(checked);
  }
  const ready = { ...checked, running: { ...running, lookingFor: null } };
  if (running.cancelling) return finish(ready);
  const cell = ready.cells.get(event.cellId);
  return cell === undefined ? advance(ready) : launch(ready, cell);
};

export const onDataChecked: Reducer<'data_checked'> = (state, event) => applyDataFacts(state, event.facts);

/**
 * The files that runs used have been checked: cells whose facts no longer hold become stale. During a run,
 * its end reports them.
 */
export const onObservedFilesChecked: Reducer<'observed_files_checked'> = (state, event) => {
  const checked = { ...state, seenFiles: event.files };
  if (checked.running !== null) return reduction(checked);
  const after = walkStatuses(checked);
  return reduction(after, statusFrames(state, after));
};

/** Applies new checks of external data: cells may become stale. During a run, its end reports them. */
export function applyDataFacts(state: SessionState, facts: readonly DataFact[]): Reduction {
  if (facts.length === 0) return unchanged(state);
  const checked = withFacts(state, facts);
  if (checked.running !== null) return reduction(checked);
  const after = walkStatuses(checked);
  return reduction(after, statusFrames(state, after));
}
