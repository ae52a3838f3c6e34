import type { Reducer } from '../events.ts';
import { notebookStateFrame, statusFrames, toAll } from '../frames.ts';
import type { SessionState } from '../state.ts';
import { walkStatuses } from '../statuses.ts';
import { viewCells } from '../view.ts';
import { reduction, unchanged } from './draft.ts';
import { withoutArtifact } from './outcome.ts';

/** A job started, moved on or printed (API supplement 3.5). */
export const environmentJobChanged: Reducer<'environment_job_changed'> = (state, event) => {
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

/** The R this notebook's R cells run with is known by now, or is another one. */
export const rFound: Reducer<'r_found'> = (state, event) => {
  if (state.rVersion === event.version) return unchanged(state);
  const next: SessionState = { ...state, rVersion: event.version };
  return reduction(next, state.sockets.size === 0 ? [] : [toAll(notebookStateFrame(next))]);
};

/** A job ended: what the environment is now, and which cells it left out of date. */
export const environmentSettled: Reducer<'environment_settled'> = (state, event) => {
  const lockfileChanged = event.environment.lockHash !== state.environment.lockHash;
  const walked = walkStatuses({ ...state, environment: event.environment });
  const stale = [...walked.cells.values()].filter((cell) => cell.status !== 'ready').map((cell) => cell.id);
  const [finished, ...older] = event.environment.history;
  const job = finished && {
    ...finished,
    lockfile_changed: lockfileChanged,
    stale_cell_count: stale.length,
    stale_cell_ids: stale,
  };
  const after: SessionState = {
    ...walked,
    environment: { ...event.environment, job: null, history: job === undefined ? [] : [job, ...older] },
  };
  if (job === undefined) return reduction(after, statusFrames(state, after), [{ type: 'warm_up' }]);
  const succeeded = job.status === 'completed';
  return reduction(
    after,
    [
      toAll({
        type: 'environment_job_finished',
        payload: {
          environment_job: job,
          environment_job_history: [...after.environment.history],
          cells: viewCells(after),
          lockfile_changed: lockfileChanged,
          stale_cell_count: stale.length,
          stale_cell_ids: stale,
          ...(succeeded ? { environment: after.environment.environment } : {}),
        },
      }),
      ...statusFrames(state, after),
    ],
    [{ type: 'warm_up' }],
  );
};

/** The folder's modules were looked at: cells that import what changed are out of date. */
export const modulesRead: Reducer<'modules_read'> = (state, event) => {
  if (event.modules === state.modules) return unchanged(state);
  const after = walkStatuses({ ...state, modules: event.modules });
  return reduction(after, state.sockets.size === 0 ? [] : statusFrames(state, after));
};

/** A stored result turned out unreadable while somebody looked at it: what rested on it is out of date. */
export const artifactLost: Reducer<'artifact_lost'> = (state, event) => {
  const after = walkStatuses(withoutArtifact(state, event.uri));
  return reduction(after, statusFrames(state, after));
};
