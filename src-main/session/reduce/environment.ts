/** The part of the session's reducer that takes changes of the environment, of R and of local modules. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import type { EnvironmentJob } from '../../../src-shared/wire/environment.ts';
import { withModules } from '../keys/relink.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { Effect, EventOf, Reducer } from '../state/events.ts';
import type { AddressedFrame, EndedJob } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { notebookStateFrame, statusFrame, statusFrames, toAll } from '../view/frames.ts';
import { viewCells, viewREnvironment } from '../view/view.ts';
import { withoutArtifact } from './outcome.ts';
import { reduction, unchanged } from './reductions.ts';

/** A job started, moved on or printed (docs/spec/live-protocol.md, 5.1). */
export const onEnvironmentJobChanged: Reducer<'environment_job_changed'> = (state, event) => {
  const environment = {
    ...state.environment,
    job: event.job,
    environment: { ...state.environment.environment, sync_state: 'pending' as const },
  };
  return reduction({ ...state, environment }, [
    toAll({
      type: event.started ? 'environment_job_started' : 'environment_job_progress',
      payload: { environment_job: event.job },
    }),
  ]);
};

/** The R for this notebook's R cells is now known, or has changed. */
export const onRVersionRead: Reducer<'r_version_read'> = (state, event) => {
  if (state.rVersion === event.version) return unchanged(state);
  const next: SessionState = { ...state, rVersion: event.version };
  return reduction(next, state.sockets.size === 0 ? [] : [toAll(notebookStateFrame(next))]);
};

/** A job ended: sets the new environment and the cells it made stale. */
export const onEnvironmentSettled: Reducer<'environment_settled'> = (state, event) => {
  const lockfileChanged = event.environment.lockHash !== state.environment.lockHash;
  const withStatuses = walkStatuses({ ...state, environment: event.environment });
  const stale = [...withStatuses.cells.values()]
    .filter((cell) => cell.status !== 'ready')
    .map((cell) => cell.id);
  const [finished, ...before] = event.environment.history;
  // Only this state knows what earlier jobs did to the cells.
  const jobs = new Map(state.environment.history.map((one) => [one.id, one]));
  const older = before.map((one) => jobs.get(one.id) ?? one);
  const job = finished && {
    ...finished,
    lockfile_changed: lockfileChanged,
    stale_cell_count: stale.length,
    stale_cell_ids: stale,
  };
  const after: SessionState = {
    ...withStatuses,
    environment: { ...event.environment, job: null, history: job === undefined ? [] : [job, ...older] },
  };
  const reply = replyOf(state, event, { after, job, lockfileChanged });
  if (job === undefined) {
    return reduction(after, statusFrames(state, after), [{ type: 'warm_up' }, ...reply]);
  }
  const endFrame = finishedFrame(after, { job, lockfileChanged, stale, imported: event.imported });
  const legacy = dependencyChanged(after, { job, lockfileChanged, stale });
  const statuses = legacy === null ? statusFrames(state, after) : staleFrames(after, stale);
  const asksElse = JSON.stringify(state.environment.wanted) !== JSON.stringify(after.environment.wanted);
  const notices = asksElse ? [toAll(notebookStateFrame(after))] : [];
  const frames = [endFrame, ...(legacy === null ? [] : [legacy]), ...statuses, ...notices];
  return reduction(after, frames, [{ type: 'warm_up' }, ...reply]);
};

/** Another program changed the environment's files: sets the cells this made stale. */
export const onEnvironmentChanged: Reducer<'environment_changed'> = (state, event) => {
  // A job sets the environment at its end.
  if (state.environment.job !== null) return unchanged(state);
  const after = walkStatuses({ ...state, environment: { ...state.environment, ...event.environment } });
  if (state.sockets.size === 0) return reduction(after);
  return reduction(after, [toAll(notebookStateFrame(after)), ...statusFrames(state, after)]);
};

interface EndedJobFacts {
  readonly job: EnvironmentJob;
  readonly lockfileChanged: boolean;
  readonly stale: readonly CellId[];
}

function finishedFrame(
  after: SessionState,
  {
    job,
    lockfileChanged,
    stale,
    imported,
  }: EndedJobFacts & { readonly imported: EventOf<'environment_settled'>['imported'] },
): AddressedFrame {
  return toAll({
    type: 'environment_job_finished',
    payload: {
      environment_job: job,
      environment_job_history: [...after.environment.history],
      cells: viewCells(after),
      lockfile_changed: lockfileChanged,
      stale_cell_count: stale.length,
      stale_cell_ids: [...stale],
      ...(job.status === 'completed'
        ? { ...environmentNow(after), r_environment: viewREnvironment(after) }
        : {}),
      ...(imported === undefined ? {} : { warnings: [...imported.warnings], imported_count: imported.count }),
    },
  });
}

/** Null if the job did not add or remove a dependency. */
function dependencyChanged(
  after: SessionState,
  { job, lockfileChanged, stale }: EndedJobFacts,
): AddressedFrame | null {
  if (job.package === null || (job.action !== 'add' && job.action !== 'remove')) return null;
  return toAll({
    type: 'dependency_changed',
    payload: {
      package: job.package,
      action: job.action,
      success: job.status === 'completed',
      error: job.error,
      lockfile_changed: lockfileChanged,
      stale_cell_count: stale.length,
      cells: viewCells(after),
      ...(job.status === 'completed' ? environmentNow(after) : {}),
    },
  });
}

function environmentNow({ environment: { environment, dependencies, resolved } }: SessionState) {
  return { environment, dependencies: [...dependencies], resolved_dependencies: [...resolved] };
}

function staleFrames(after: SessionState, stale: readonly CellId[]): readonly AddressedFrame[] {
  return stale.flatMap((id) => {
    const cell = after.cells.get(id);
    return cell === undefined ? [] : [statusFrame(cell)];
  });
}

/** The reply for the caller that waited for the job. */
function replyOf(
  before: SessionState,
  { ticket }: EventOf<'environment_settled'>,
  now: {
    readonly after: SessionState;
    readonly job: EnvironmentJob | undefined;
    readonly lockfileChanged: boolean;
  },
): readonly Effect[] {
  if (ticket === null || now.job === undefined) return [];
  const identity = (state: SessionState) => state.environment.interpreter?.identity;
  const endedJob: EndedJob = {
    job: now.job,
    lockfileChanged: now.lockfileChanged,
    warmPoolReset: identity(before) !== identity(now.after),
  };
  return [{ type: 'reply', ticket, reply: { kind: 'environment', ended: endedJob } }];
}

/** The folder's modules were checked: cells that import a changed one become stale. */
export const onModulesRead: Reducer<'modules_read'> = (state, event) => {
  if (event.modules === state.modules) return unchanged(state);
  const after = walkStatuses(withModules(state, event.modules));
  return reduction(after, state.sockets.size === 0 ? [] : statusFrames(state, after));
};

/** A stored result turned out to be unreadable: cells that depend on it become stale. */
export const onArtifactLost: Reducer<'artifact_lost'> = (state, event) => {
  const after = walkStatuses(withoutArtifact(state, event.uri));
  return reduction(after, statusFrames(state, after));
};
