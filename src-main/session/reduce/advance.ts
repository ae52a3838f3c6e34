/**
 * The part of the session's reducer that advances a run: it starts the next step, skips cells, and takes each step's
 * outcome.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { StepOutcome, StepRequest } from '../../run/step.ts';
import { cachedRunOf } from '../keys/cachedRun.ts';
import { dataToCheck } from '../keys/data.ts';
import { progressOf } from '../keys/impact.ts';
import { NO_REASONS, nameOf, walkStatuses } from '../keys/statuses.ts';
import { hintEffects } from '../keys/workers.ts';
import type { Effect, Reduction } from '../state/events.ts';
import type { AddressedFrame, CellRunResult } from '../state/requests.ts';
import type { RunningState } from '../state/running.ts';
import type { CellState, SessionState } from '../state/state.ts';
import {
  consoleFrames,
  resultFrame,
  runningFrame,
  statusFrame,
  statusFrames,
  toAll,
} from '../view/frames.ts';
import { aheadEffects } from './ahead.ts';
import { finish } from './finish.ts';
import { isSuperseded, nextOfLive } from './live.ts';
import { applyOutcome } from './outcome.ts';
import { append, reduction, withCell } from './reductions.ts';
import { executionResultOf, nothingToRun, storedOutputs } from './result.ts';
import { missingProducers, requestOfSkippedStep, stepRequest, whyNotRunnable } from './stepRequest.ts';

const NO_STREAMS = { stdout: '', stderr: '', stdoutChunks: 0, stderrChunks: 0 } as const;

/**
 * A run's life: `beginRun` -> (`advance` -> step effect -> `endStep`)* -> `finish`. One cell at a time;
 * every decision is made here, from the state, between two steps.
 */
export function beginRun(
  state: SessionState,
  run: Pick<
    RunningState,
    | 'runId'
    | 'kind'
    | 'targetId'
    | 'mode'
    | 'continueOnError'
    | 'planId'
    | 'origin'
    | 'ticket'
    | 'waiting'
    | 'startedAtMs'
  > &
    Partial<Pick<RunningState, 'live'>>,
): Reduction {
  const running: RunningState = {
    live: null,
    ...run,
    current: null,
    lookingFor: null,
    lastRanAtMs: run.startedAtMs,
    stopAskedAtMs: null,
    stage: null,
    cancelTickets: [],
    total: run.waiting.length,
    completed: 0,
    results: [],
    failed: new Set(),
    executed: new Set(),
    cancelling: false,
    outdated: 0,
    heldFrames: [],
    streams: NO_STREAMS,
  };
  const { kind, targetId } = run;
  if (kind !== 'single' || targetId === null) {
    const cells = run.waiting.map((id) => state.cells.get(id));
    const hints = kind === 'live' ? [] : hintEffects(state, cells, kind === 'all' ? 'run_all' : 'cascade');
    return append(reduction(state, [], hints), advance({ ...state, running }));
  }
  const started = withCell({ ...state, running }, targetId, {
    ...NO_REASONS,
    status: 'running',
    stoppedMs: null,
  });
  return append(reduction(started, [runningFrame(started, targetId)]), advance(started));
}

/** Starts the next step, skips cells that need none, or ends the run. */
export function advance(state: SessionState): Reduction {
  const { running } = state;
  if (running === null) return reduction(state);
  const [next, ...rest] = running.waiting;
  if (running.cancelling || isOver(running)) return finish(state);
  // An edit created a cycle in the meantime: the remaining cells have no order and no inputs
  // (docs/spec/analysis-and-graph.md, 3.1).
  if (state.graphError !== null) return finish(markCancelling(state));
  const live = nextOfLive(state);
  if (live?.kind === 'widget') return start(live.state, live.cell);
  if (live?.kind === 'planned') {
    return append(reduction(live.state, statusFrames(state, live.state)), advance(live.state));
  }
  if (next === undefined) return finish(state);
  const cell = state.cells.get(next);
  const remaining: SessionState = { ...state, running: { ...running, waiting: rest } };
  // Deleted in the meantime, or no longer the active variant.
  if (cell === undefined || state.graph.inactive.has(next)) return advance(remaining);
  const belowFailed = (state.graph.upstream.get(next) ?? []).some((id) => running.failed.has(id));
  if (belowFailed) return skip(remaining, cell);
  if (!LANGUAGES[cell.language].runs) {
    return advance(
      recorded(remaining, {
        cellId: next,
        status: 'ok',
        result: nothingToRun(next),
        provenanceHash: null,
        stored: [],
      }),
    );
  }
  const missing = missingProducers(remaining, cell);
  const unasked = missing.filter((id) => !running.executed.has(id));
  if (unasked.length > 0) return advance(waitingFor(remaining, [...unasked, next]));
  if (missing.length > 0) return skip(remaining, cell);
  return start(remaining, cell);
}

/** Puts cells before the rest of the run. */
function waitingFor(state: SessionState, first: readonly CellId[]): SessionState {
  const { running } = state;
  if (running === null) return state;
  const waiting = [...first, ...running.waiting.filter((id) => !first.includes(id))];
  const total = running.total + waiting.length - running.waiting.length - 1;
  return { ...state, running: { ...running, waiting, total } };
}

/** A cascade, and a run-all that stops on errors, end with their first failure (docs/spec/staleness-and-runs.md, 3). */
function isOver(running: RunningState): boolean {
  if (running.failed.size === 0) return false;
  return running.kind === 'cascade' || (running.kind === 'all' && !running.continueOnError);
}

function recorded(state: SessionState, result: CellRunResult): SessionState {
  const { running } = state;
  if (running === null) return state;
  return { ...state, running: { ...running, results: [...running.results, result] } };
}

function markFailed(state: SessionState, id: CellId): SessionState {
  const { running } = state;
  if (running === null) return state;
  return { ...state, running: { ...running, failed: new Set(running.failed).add(id) } };
}

/** A cell with unavailable inputs does not run: stale in a run-all, failed if it is the target. */
function skip(state: SessionState, cell: CellState): Reduction {
  const { running } = state;
  if (running?.kind === 'single' && running.targetId === cell.id) {
    return failTarget(state, cell, whySkipped(state, cell, running));
  }
  // Its earlier error was about other inputs: the cell is now stale, not in error.
  const passed = withCell(state, cell.id, { blocked: true, lastError: null });
  // A single run reports its upstreams when it ends.
  const isAnnounced = running?.kind !== 'single';
  const blocked = isAnnounced
    ? withCell(passed, cell.id, { status: 'stale', reasons: ['upstream'], causality: null })
    : passed;
  const next = recorded(markFailed(blocked, cell.id), {
    cellId: cell.id,
    status: 'skipped',
    result: null,
    provenanceHash: null,
    stored: [],
  });
  const current = next.cells.get(cell.id);
  const frames = isAnnounced && current !== undefined ? [statusFrame(current)] : [];
  return append(reduction(next, frames, [{ type: 'save_runtime', cellIds: [] }]), advance(next));
}

function whySkipped(state: SessionState, cell: CellState, running: RunningState): string {
  const failed = (state.graph.upstream.get(cell.id) ?? []).find((id) => running.failed.has(id));
  if (failed === undefined) return 'Not run: a cell above it changed during the run. Run it again.';
  const culprit = state.cells.get(failed);
  return `Not run: the cell \`${culprit === undefined ? failed : nameOf(culprit)}\` above it failed.`;
}

/** A failure without a run: the cell's language, its worker or its upstream prevents one. */
function failTarget(state: SessionState, cell: CellState, error: string): Reduction {
  const request = requestOfSkippedStep(state, cell);
  const outcome: StepOutcome = {
    kind: 'failed',
    error,
    traceback: null,
    suggestInstall: null,
    stdout: '',
    stderr: '',
    method: 'error',
    durationMs: 0,
  };
  return request === null ? finish(state) : settled(state, request, outcome);
}

function start(state: SessionState, cell: CellState): Reduction {
  const { running } = state;
  if (running === null) return reduction(state);
  const isAnnounced = running.kind !== 'single';
  const frames: AddressedFrame[] = [];
  if (running.kind === 'cascade' && running.planId !== null) {
    frames.push(
      toAll({
        type: 'cascade_progress',
        payload: {
          plan_id: running.planId,
          current_cell_id: cell.id,
          completed: running.completed,
          total: running.total,
        },
      }),
    );
  }
  if (isAnnounced) frames.push(runningFrame(state, cell.id, progressOf(state, running, cell.id)));
  const change = { ...NO_REASONS, status: 'running', stoppedMs: null } as const;
  const announcedState = isAnnounced ? withCell(state, cell.id, change) : state;
  const refused = whyNotRunnable(state, cell);
  if (refused !== null)
    return append(reduction(announcedState, frames), failTarget(announcedState, cell, refused));
  const items = dataToCheck(announcedState, cell);
  if (items.length === 0) return append(reduction(announcedState, frames), launch(announcedState, cell));
  const looking: SessionState = { ...announcedState, running: { ...running, lookingFor: cell.id } };
  return reduction(looking, frames, [
    { type: 'check_step_data', runId: running.runId, cellId: cell.id, items },
  ]);
}

/** Starts the step itself: its external data has just been checked, so its key is current. */
export function launch(state: SessionState, cell: CellState): Reduction {
  const { running } = state;
  if (running === null) return reduction(state);
  const fresh = cachedRunOf(state, cell.id, state.expected);
  const keyed =
    fresh === null ? state : { ...state, expected: new Map(state.expected).set(cell.id, fresh.run) };
  const request = stepRequest(keyed, cell);
  if (request === null) return finish(keyed);
  const next: SessionState = {
    ...keyed,
    running: {
      ...running,
      current: request,
      stage: null,
      lookingFor: null,
      executed: new Set(running.executed).add(cell.id),
      streams: NO_STREAMS,
    },
  };
  return reduction(next, [], [{ type: 'run_step', runId: running.runId, request }, ...aheadEffects(next)]);
}

/** The step's effect has reported back. */
export function endStep(state: SessionState, outcome: StepOutcome): Reduction {
  const request = state.running?.current;
  if (request === undefined || request === null) return reduction(state);
  return outcome.kind === 'input_lost'
    ? recoverInput(state, request, outcome)
    : settled(state, request, outcome);
}

/**
 * The bytes of an input are missing or damaged: its cell runs again first, but only once; a second time means
 * that the disk is unreliable.
 */
function recoverInput(
  state: SessionState,
  request: StepRequest,
  outcome: Extract<StepOutcome, { kind: 'input_lost' }>,
): Reduction {
  const { running } = state;
  if (running === null) return reduction(state);
  if (running.executed.has(outcome.producerId) || running.mode === 'force') {
    const cell = state.cells.get(request.cellId);
    const withoutInput = withoutCurrent(applyOutcome(state, request, outcome));
    return cell === undefined ? finish(withoutInput) : failTarget(withoutInput, cell, outcome.message);
  }
  const withStatuses = walkStatuses(applyOutcome(state, request, outcome));
  const executed = new Set(running.executed);
  executed.delete(request.cellId);
  return advance({
    ...withStatuses,
    running: {
      ...running,
      current: null,
      executed,
      total: running.total + 1,
      waiting: [outcome.producerId, request.cellId, ...running.waiting],
    },
  });
}

function withoutCurrent(state: SessionState): SessionState {
  return state.running === null ? state : { ...state, running: { ...state.running, current: null } };
}

/** Applies and shows a step's result; the run continues. */
function settled(
  state: SessionState,
  request: StepRequest,
  outcome: Exclude<StepOutcome, { kind: 'input_lost' }>,
): Reduction {
  const id = request.cellId;
  const applied = withoutCurrent(applyOutcome(afterRunning(state, outcome), request, outcome));
  const { running } = applied;
  const cell = applied.cells.get(id);
  if (running === null) return reduction(applied);
  // Deleted while it ran: its result is not shown, the run continues.
  if (cell === undefined) return advance(applied);
  const save: Effect = { type: 'save_runtime', cellIds: [id] };
  const result = executionResultOf(applied, id, outcome);
  const withResult = recorded(applied, {
    cellId: id,
    status: result.status === 'ready' ? 'ok' : 'error',
    result,
    provenanceHash: request.provenanceHash,
    stored: storedOutputs(cell, request),
  });
  if (outcome.kind === 'cancelled' && isSuperseded(running)) {
    // A newer value arrived: the cell is stale, and runs for that value next.
    const stale = withCell(withResult, id, {
      status: 'stale',
      reasons: ['upstream'],
      causality: null,
      stoppedMs: null,
    });
    const target = stale.cells.get(id);
    return append(
      reduction(stale, target === undefined ? [] : [statusFrame(target)], [save]),
      advance(stale),
    );
  }
  if (outcome.kind === 'cancelled') {
    const endState = markCancelling(withResult);
    // The output of a quiet upstream was not streamed: it is shown now, in place of its last console.
    const isQuiet = running.kind === 'single' && id !== running.targetId;
    const printed = isQuiet ? [...consoleFrames(cell), statusFrame(cell)] : [];
    return append(reduction(endState, printed, [save]), finish(endState));
  }
  const withCount = countCompleted(outcome.kind === 'failed' ? markFailed(withResult, id) : withResult);
  const frame = resultFrame(applied, cell, outcome);
  const frames = frame === null ? [] : [frame];
  if (running.kind === 'single') {
    const isTarget = id === running.targetId;
    const next = isTarget ? withCount : holdFrames(withCount, frames);
    return append(reduction(next, isTarget ? frames : [], [save]), advance(next));
  }
  const status = outcome.kind === 'failed' ? 'error' : 'ready';
  const marked = withCell(withCount, id, { status, ...NO_REASONS });
  const after = marked.cells.get(id);
  return append(
    reduction(marked, [...frames, ...(after === undefined ? [] : [statusFrame(after)])], [save]),
    advance(marked),
  );
}

/** A cell that really ran may have written files that a later one reads. */
function afterRunning(state: SessionState, outcome: StepOutcome): SessionState {
  const { running } = state;
  if (running === null || outcome.kind === 'hit' || outcome.endedAtMs === undefined) return state;
  return { ...state, running: { ...running, lastRanAtMs: outcome.endedAtMs } };
}

function markCancelling(state: SessionState): SessionState {
  return state.running === null ? state : { ...state, running: { ...state.running, cancelling: true } };
}

function countCompleted(state: SessionState): SessionState {
  const { running } = state;
  return running === null ? state : { ...state, running: { ...running, completed: running.completed + 1 } };
}

function holdFrames(state: SessionState, frames: readonly AddressedFrame[]): SessionState {
  const { running } = state;
  if (running === null) return state;
  return { ...state, running: { ...running, heldFrames: [...running.heldFrames, ...frames] } };
}
