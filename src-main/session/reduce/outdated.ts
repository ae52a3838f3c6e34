/**
 * The part of the session's reducer that computes the key of a step again because it became outdated before the step
 * began.
 */

import { planUpstreams } from '../../run/plan.ts';
import { withModules } from '../keys/relink.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { Reducer } from '../state/events.ts';
import type { SessionState } from '../state/state.ts';
import { notebookStateFrame, statusFrames, toAll } from '../view/frames.ts';
import { advance } from './advance.ts';
import { append, reduction } from './reductions.ts';

/**
 * A module of the folder or the environment changed after the step's key was made, and the step has not
 * started: it is keyed again, after the upstream cells that the change made stale. A result of older code never
 * answers.
 */
export const onStepOutdated: Reducer<'step_outdated'> = (state, event) => {
  const environment = { ...state.environment, ...event.environment };
  const modules = event.modules ?? state.modules;
  const withStatuses = walkStatuses(withModules({ ...state, environment }, modules));
  const notices = event.environment === null ? [] : [toAll(notebookStateFrame(withStatuses))];
  const frames = state.sockets.size === 0 ? [] : [...notices, ...statusFrames(state, withStatuses)];
  const { running } = withStatuses;
  const { cellId, runId } = event;
  if (running === null || running.runId !== runId || running.current?.cellId !== cellId) {
    return reduction(withStatuses, frames);
  }
  const executed = new Set(running.executed);
  executed.delete(cellId);
  const isSettled = (id: typeof cellId): boolean =>
    executed.has(id) || withStatuses.cells.get(id)?.status === 'ready';
  const above =
    running.mode === 'force'
      ? []
      : planUpstreams(cellId, { upstream: withStatuses.graph.upstream, isReady: isSettled });
  const first = [...above, cellId];
  const waiting = [...first, ...running.waiting.filter((id) => !first.includes(id))];
  const again: SessionState = {
    ...withStatuses,
    running: {
      ...running,
      current: null,
      executed,
      waiting,
      total: running.total + waiting.length - running.waiting.length - 1,
      outdated: running.outdated + 1,
    },
  };
  return append(reduction(again, frames), advance(again));
};
