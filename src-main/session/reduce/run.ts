import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { StopManner } from '../../lib/stop.ts';
import { transportOf } from '../../notebook/workers.ts';
import { inRunOrder, planUpstreams } from '../../run/plan.ts';
import type { EventOf, Reducer, Reduction } from '../events.ts';
import {
  consoleFrame,
  idleFrame,
  iterationFrame,
  remoteFrame,
  statusFrame,
  toAll,
  toOnly,
} from '../frames.ts';
import { estimateMs } from '../impact.ts';
import type { SessionState } from '../state.ts';
import { nameOf, shownRunning } from '../statuses.ts';
import { whyUnreadable } from '../unreadable.ts';
import { beginRun, stepEnded } from './advance.ts';
import { append, reduction, refuse, unchanged, withCell } from './draft.ts';
import { closeAll } from './inspectOutlived.ts';
import { nothingToRun } from './result.ts';
import { cancelTests } from './testEnds.ts';
import { whyRefused } from './whyRefused.ts';

/** What a reconnecting client is shown of a cell still running. */
const KEPT_STREAM_CHARACTERS = 64 * 1024;

function isReady(state: SessionState, id: CellId): boolean {
  return state.cells.get(id)?.status === 'ready';
}

function promptFor(
  state: SessionState,
  event: EventOf<'run_requested'>,
  plan: { readonly planId: string; readonly upstreams: readonly CellId[] },
): Reduction {
  const ids = [...plan.upstreams, event.cellId];
  const steps = ids.map((id) => {
    const cell = state.cells.get(id);
    const reason =
      id === event.cellId
        ? ('target' as const)
        : cell?.record == null
          ? ('missing' as const)
          : ('stale' as const);
    return {
      cell_id: id,
      cell_name: cell === undefined ? id : nameOf(cell),
      reason,
      skip: false,
      estimated_ms: estimateMs(cell),
    };
  });
  const stored: SessionState = {
    ...state,
    plan: { planId: plan.planId, targetId: event.cellId, steps: ids },
  };
  const total = steps.reduce((sum, step) => sum + step.estimated_ms, 0);
  const frames =
    event.origin.kind === 'socket'
      ? [
          toOnly(event.origin.socketId, {
            type: 'cascade_prompt',
            payload: {
              cell_id: event.cellId,
              plan_id: plan.planId,
              cells_to_run: ids,
              steps,
              estimated_duration_ms: total,
            },
          }),
        ]
      : [];
  return reduction(stored, frames, [{ type: 'reply', ticket: event.ticket, reply: { kind: 'done' } }]);
}

export const runRequested: Reducer<'run_requested'> = (state, event, tools) => {
  const { cellId, mode, origin, ticket } = event;
  const cell = state.cells.get(cellId);
  if (cell?.language === 'markdown') {
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
  if (upstreams.length > 0 && event.upstream === 'ask') return promptFor(state, event, { planId, upstreams });
  // A rerun over the live protocol announces the upstreams it rebuilds; a REST caller just gets its answer.
  const announced = upstreams.length > 0 && origin.kind === 'socket';
  return beginRun(state, {
    runId: planId,
    kind: announced ? 'cascade' : 'single',
    targetId: cellId,
    mode,
    continueOnError: true,
    planId: announced ? planId : null,
    origin,
    ticket,
    waiting: [...upstreams, cellId],
    startedAtMs: event.atMs,
  });
};

export const planConfirmed: Reducer<'plan_confirmed'> = (state, event) => {
  const refused = whyRefused(state, event.cellId);
  if (refused !== null) return refuse(state, event, refused);
  const { plan } = state;
  if (plan === null || plan.planId !== event.planId || plan.targetId !== event.cellId) {
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

export const runAllRequested: Reducer<'run_all_requested'> = (state, event, tools) => {
  const refused = whyRefused(state, null);
  if (refused !== null) return refuse(state, event, refused);
  // An empty cell has nothing to run, unless others wait for it with @after: they are ready only when it is.
  const wanted = [...state.cells.values()].filter(
    (cell) =>
      cell.language !== 'markdown' &&
      !state.graph.inactive.has(cell.id) &&
      (!cell.analysis.isEmpty ||
        whyUnreadable(state, cell) !== null ||
        (state.graph.downstream.get(cell.id) ?? []).length > 0),
  );
  const waiting = inRunOrder(
    wanted.map((cell) => cell.id),
    state.graph.upstream,
  );
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

/** Whether a cell is part of the run that is on: running, asked for, or still waiting its turn. */
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

export const cancelRequested: Reducer<'cancel_requested'> = (state, event) => {
  const { cellId, ticket } = event;
  const cell = state.cells.get(cellId);
  if (cell === undefined)
    return refuse(state, event, new AppError('not_found', 'Cell not found', { cell_id: cellId }));
  const { running } = state;
  if (running === null || !isInRun(state, cellId)) {
    const frames = cell.status === 'idle' ? [idleFrame(cell)] : [];
    return reduction(state, frames, [
      { type: 'reply', ticket, reply: { kind: 'cancelled', cancelled: false } },
    ]);
  }
  const before = running.stopAskedAtMs;
  // A double click, or the same wish of two windows, is one asking.
  const isAgain = before !== null && event.atMs - before < AGAIN_MS;
  const manner = event.soon === true ? 'soon' : before === null || isAgain ? 'gently' : 'harder';
  return cancelRun(state, [ticket], { manner, atMs: isAgain ? before : event.atMs });
};

/** Within this of the first, another asking to stop is the same one. */
const AGAIN_MS = 500;

/** Stops the whole run; the tickets are answered when it has ended. */
export function cancelRun(
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

export const stepConsole: Reducer<'step_console'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  // Upstreams of a single run work quietly: their console comes with their result.
  if (running.kind === 'single' && event.cellId !== running.targetId) return unchanged(state);
  const { streams } = running;
  const isOut = event.stream === 'stdout';
  const chunkSeq = isOut ? streams.stdoutChunks : streams.stderrChunks;
  // A long piece is all that is kept; joining it first would copy every byte a cell prints twice more.
  const isAll = event.text.length >= KEPT_STREAM_CHARACTERS;
  const text = (isAll ? event.text : streams[event.stream] + event.text).slice(-KEPT_STREAM_CHARACTERS);
  const next = isOut
    ? { ...streams, stdout: text, stdoutChunks: chunkSeq + 1 }
    : { ...streams, stderr: text, stderrChunks: chunkSeq + 1 };
  return reduction({ ...state, running: { ...running, streams: next } }, [
    consoleFrame(event.cellId, { stream: event.stream, text: event.text, chunkSeq }),
  ]);
};

/** A run elsewhere waits or works. Like consoles, those of quiet upstreams are not shown. */
export const stepRemote: Reducer<'step_remote'> = (state, event) => {
  const { running } = state;
  const { cellId, progress } = event;
  const cell = state.cells.get(cellId);
  const worker = running?.current?.worker ?? null;
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

/** An iteration of a loop is kept. Like consoles, those of quiet upstreams are not shown. */
export const stepIterated: Reducer<'step_iterated'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  if (running.kind === 'single' && event.cellId !== running.targetId) return unchanged(state);
  return reduction(state, [iterationFrame(event.cellId, event.progress)]);
};

/** A model's answer as it comes. Like consoles, those of quiet upstreams are not shown. */
export const stepDelta: Reducer<'step_delta'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  if (running.kind === 'single' && event.cellId !== running.targetId) return unchanged(state);
  const payload = { cell_id: event.cellId, ...event.delta };
  return reduction(state, [toAll({ type: 'cell_output_delta', payload })]);
};

/** Told for quiet upstreams too: their variants take their time all the same. */
export const stepVariant: Reducer<'step_variant'> = (state, event) => {
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

/** How hard a run is being stopped is said as it happens. */
export const stepStopping: Reducer<'step_stopping'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  const stage = STAGES[event.signal];
  const payload = { cell_id: shownRunning(state) ?? event.cellId, stage };
  return reduction({ ...state, running: { ...running, stage } }, [toAll({ type: 'cell_stopping', payload })]);
};

export const stepFinished: Reducer<'step_finished'> = (state, event) => {
  const { running } = state;
  if (running === null || running.runId !== event.runId || running.current?.cellId !== event.cellId) {
    return unchanged(state);
  }
  return stepEnded(state, event.outcome);
};

export const graceEnded: Reducer<'grace_ended'> = (state, event) => {
  if (state.sockets.size > 0) return unchanged(state);
  const closed = closeAll(state, 'nobody_here');
  const { running } = state;
  const tests = event.runId === null ? undefined : state.testing.get(event.runId);
  if (tests !== undefined) return append(closed, cancelTests(closed.state, tests, []));
  if (running === null || running.runId !== event.runId) return closed;
  // Nobody is here, and nobody waits for its end.
  return append(closed, cancelRun(closed.state, [], { manner: 'gently', atMs: event.atMs }));
};
