/** The part of the session's reducer for requests to run and cancel cells, and for reports of the current step. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { StopManner } from '../../lib/stop.ts';
import { transportOf } from '../../notebook/workers.ts';
import { planUpstreams } from '../../run/plan.ts';
import { withoutCell } from '../keys/runQueue.ts';
import { shownRunning } from '../keys/statuses.ts';
import type { Reducer, Reduction } from '../state/events.ts';
import type { Origin } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import {
  consoleFrame,
  idleFrame,
  iterationFrame,
  remoteFrame,
  statusFrame,
  toAll,
  toOnly,
} from '../view/frames.ts';
import { beginRun, endStep } from './advance.ts';
import { type ProposedPlan, proposePlan } from './cascadePrompt.ts';
import { closeAll } from './inspectOutlived.ts';
import { append, reduction, refuse, unchanged, withCell } from './reductions.ts';
import { nothingToRun } from './result.ts';
import { cellsOfRunAll } from './runAll.ts';
import { cancelTests } from './testEnds.ts';
import { whyRefused } from './whyRefused.ts';

/** The maximum output of a running cell that a reconnecting client gets. */
const KEPT_STREAM_CHARACTERS = 64 * 1024;

function isReady(state: SessionState, id: CellId): boolean {
  return state.cells.get(id)?.status === 'ready';
}

export const runCell: Reducer<'run_cell'> = (state, event, tools) => {
  const { cellId, mode, origin, ticket } = event;
  const cell = state.cells.get(cellId);
  if (cell !== undefined && !LANGUAGES[cell.language].runs) {
    const frames = origin.kind === 'socket' ? [toOnly(origin.socketId, statusFrame(cell).frame)] : [];
    const reply = { kind: 'executed', result: nothingToRun(cellId) } as const;
    return reduction(state, frames, [{ type: 'reply', ticket, reply }]);
  }
  const refused = whyRefused(state, cellId);
  if (refused !== null) return refuse(state, event, refused);
  const upstreams =
    mode === 'force'
      ? []
      : planUpstreams(cellId, { upstream: state.graph.upstream, isReady: (id) => isReady(state, id) });
  const planId = tools.newId();
  if (upstreams.length > 0 && event.upstream === 'ask') {
    return promptFor(state, event, { planId, targets: [cellId], steps: [...upstreams, cellId] });
  }
  // Over the live protocol a rerun announces the upstreams it rebuilds; a REST caller only gets the reply.
  const isCascade = upstreams.length > 0 && origin.kind === 'socket';
  return beginRun(state, {
    runId: planId,
    kind: isCascade ? 'cascade' : 'single',
    targetId: cellId,
    mode,
    continueOnError: true,
    planId: isCascade ? planId : null,
    origin,
    ticket,
    waiting: [...upstreams, cellId],
    startedAtMs: event.atMs,
  });
};

function promptFor(
  state: SessionState,
  event: { readonly origin: Origin; readonly ticket: number },
  plan: ProposedPlan,
): Reduction {
  const prompt = proposePlan(state, plan, event.origin.kind === 'socket' ? event.origin.socketId : null);
  return reduction(prompt.state, prompt.frames, [
    { type: 'reply', ticket: event.ticket, reply: { kind: 'done' } },
  ]);
}

export const confirmPlan: Reducer<'confirm_plan'> = (state, event, tools) => {
  const refused = whyRefused(state, event.cellId);
  if (refused !== null) return refuse(state, event, refused);
  const { plan } = state;
  if (plan === null || plan.planId !== event.planId || plan.targetId !== event.cellId) {
    const isAged = state.agedPlans.some(
      ({ planId, targetId }) => planId === event.planId && targetId === event.cellId,
    );
    // Asks again about the upstreams: there may be more now.
    if (isAged) return runCell(state, { ...event, type: 'run_cell', mode: 'normal', upstream: 'ask' }, tools);
    return refuse(state, event, new AppError('bad_request', 'Cascade plan not found or expired'));
  }
  const waiting = plan.steps.filter((id) => id === plan.targetId || !isReady(state, id));
  return beginRun(
    { ...state, plan: null },
    {
      runId: plan.planId,
      kind: 'cascade',
      targetId: plan.targetId,
      mode: 'normal',
      continueOnError: true,
      planId: plan.planId,
      origin: event.origin,
      ticket: event.ticket,
      waiting,
      startedAtMs: event.atMs,
    },
  );
};

export const runAll: Reducer<'run_all'> = (state, event, tools) => {
  const refused = whyRefused(state, null);
  if (refused !== null) return refuse(state, event, refused);
  const waiting = cellsOfRunAll(state);
  if (waiting.length === 0) {
    return reduction(
      state,
      [],
      [{ type: 'reply', ticket: event.ticket, reply: { kind: 'ran_all', results: [] } }],
    );
  }
  return beginRun(state, {
    runId: tools.newId(),
    kind: 'all',
    targetId: null,
    mode: event.mode,
    continueOnError: event.continueOnError,
    planId: null,
    origin: event.origin,
    ticket: event.ticket,
    waiting,
    startedAtMs: event.atMs,
  });
};

/** Whether a cell is part of the current run: running, its target, or waiting for its turn. */
export function isInRun(state: SessionState, id: CellId): boolean {
  const { running } = state;
  if (running === null) return false;
  return (
    running.current?.cellId === id ||
    running.lookingFor === id ||
    running.targetId === id ||
    running.waiting.includes(id)
  );
}

export const cancelCell: Reducer<'cancel_cell'> = (state, event) => {
  const { cellId, ticket } = event;
  const cell = state.cells.get(cellId);
  if (cell === undefined)
    return refuse(state, event, new AppError('not_found', 'Cell not found', { cell_id: cellId }));
  // Its queued runs are removed, whether or not it is running.
  const queue = withoutCell(state.queue, cellId);
  const isTakenOut = queue !== state.queue;
  const { running } = state;
  if (running === null || !isInRun(state, cellId)) {
    const frames = cell.status === 'idle' ? [idleFrame(cell)] : [];
    return reduction({ ...state, queue }, frames, [
      { type: 'reply', ticket, reply: { kind: 'cancelled', cancelled: isTakenOut } },
    ]);
  }
  const before = running.stopAskedAtMs;
  // A double click, or the same request of two windows, counts as one.
  const isAgain = before !== null && event.atMs - before < AGAIN_MS;
  const manner = event.soon === true ? 'soon' : before === null || isAgain ? 'gently' : 'harder';
  return cancelRun({ ...state, queue }, [ticket], { manner, atMs: isAgain ? before : event.atMs });
};

/** A second stop request within this time of the first counts as the same one. */
const AGAIN_MS = 500;

/** Stops the whole run; its tickets get their replies when it has ended. */
function cancelRun(
  state: SessionState,
  tickets: readonly number[],
  { manner, atMs }: { readonly manner: StopManner; readonly atMs: number },
): Reduction {
  const { running } = state;
  if (running === null) return unchanged(state);
  const next: SessionState = {
    ...state,
    running: {
      ...running,
      cancelling: true,
      stopAskedAtMs: atMs,
      cancelTickets: [...running.cancelTickets, ...tickets],
    },
  };
  return reduction(next, [], [{ type: 'cancel_step', runId: running.runId, manner }]);
}

export const onStepConsole: Reducer<'step_console'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  // Upstreams of a single run are quiet: their console comes with their result.
  if (running.kind === 'single' && event.cellId !== running.targetId) return unchanged(state);
  const { streams } = running;
  const isOut = event.stream === 'stdout';
  const chunkSeq = isOut ? streams.stdoutChunks : streams.stderrChunks;
  // A long chunk replaces all stored output; joining it first would copy every printed byte twice more.
  const isAll = event.text.length >= KEPT_STREAM_CHARACTERS;
  const text = (isAll ? event.text : streams[event.stream] + event.text).slice(-KEPT_STREAM_CHARACTERS);
  const next = isOut
    ? { ...streams, stdout: text, stdoutChunks: chunkSeq + 1 }
    : { ...streams, stderr: text, stderrChunks: chunkSeq + 1 };
  return reduction({ ...state, running: { ...running, streams: next } }, [
    consoleFrame(event.cellId, { stream: event.stream, text: event.text, chunkSeq }),
  ]);
};

/** The state of a remote run. As with consoles, those of quiet upstreams are not shown. */
export const onStepRemote: Reducer<'step_remote'> = (state, event) => {
  const { running } = state;
  const { cellId, progress } = event;
  const cell = state.cells.get(cellId);
  const current = running?.current ?? null;
  const worker = current !== null && 'worker' in current ? current.worker : null;
  if (running === null || running.runId !== event.runId || cell === undefined || worker === null) {
    return unchanged(state);
  }
  if (running.current?.cellId !== cellId) return unchanged(state);
  const remote = {
    worker: worker.name,
    transport: transportOf(worker),
    buildId: progress.buildId,
    buildState: progress.state,
    errorCode: null,
  };
  const next = withCell(state, cellId, { remote });
  const isQuiet = running.kind === 'single' && cellId !== running.targetId;
  return reduction(next, isQuiet ? [] : [remoteFrame(cellId, remote, progress)]);
};

/** An iteration of a loop was stored. As with consoles, those of quiet upstreams are not shown. */
export const onStepIterated: Reducer<'step_iterated'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  if (running.kind === 'single' && event.cellId !== running.targetId) return unchanged(state);
  return reduction(state, [iterationFrame(event.cellId, event.progress)]);
};

/** Partial reply of a model. As with consoles, those of quiet upstreams are not shown. */
export const onStepDelta: Reducer<'step_delta'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  if (running.kind === 'single' && event.cellId !== running.targetId) return unchanged(state);
  const payload = { cell_id: event.cellId, ...event.delta };
  return reduction(state, [toAll({ type: 'cell_output_delta', payload })]);
};

/** Sent for quiet upstreams too, because their variants take time, too. */
export const onStepVariant: Reducer<'step_variant'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  const { variant, index, total, success, durationMs, error } = event.progress;
  const duration_ms = Math.round(durationMs);
  const payload = { cell_id: event.cellId, variant, index, total, success, duration_ms, error };
  return reduction(state, [toAll({ type: 'cell_variant_progress', payload })]);
};

const STAGES = { SIGINT: 'interrupting', SIGTERM: 'terminating', SIGKILL: 'killing' } as const;

/** Reports each stage of stopping a run as it happens. */
export const onStepStopping: Reducer<'step_stopping'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  const stage = STAGES[event.signal];
  const payload = { cell_id: shownRunning(state) ?? event.cellId, stage };
  return reduction({ ...state, running: { ...running, stage } }, [toAll({ type: 'cell_stopping', payload })]);
};

export const onStepFinished: Reducer<'step_finished'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  return endStep(state, event.outcome);
};

export const onGraceEnded: Reducer<'grace_ended'> = (state, event) => {
  if (state.sockets.size > 0) return unchanged(state);
  const closed = closeAll(state, 'nobody_here');
  const { running } = state;
  const tests = event.runId === null ? undefined : state.testing.get(event.runId);
  if (tests !== undefined) return append(closed, cancelTests(closed.state, tests, []));
  if (running === null || running.runId !== event.runId) return closed;
  // Runs are queued: the user who queued them left the page and expects the results later.
  if (state.queue.length > 0) return closed;
  // No client is connected, and no caller waits for the run.
  return append(closed, cancelRun(closed.state, [], { manner: 'gently', atMs: event.atMs }));
};
