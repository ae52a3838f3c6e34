/**
 * The part of the session's reducer for the queue of runs that all windows share, oldest first (docs/extensions.md).
 * The notebook runs one thing at a time; after every event the first queued run begins, if nothing prevents it.
 */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { factsOf } from '../../../src-shared/notebook/languages/languages.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { RunQueueChange } from '../../../src-shared/wire/runQueue.ts';
import { isStillPlanned, neededBy } from '../keys/autoRun.ts';
import { enqueue, movedRun, QUEUE_LIMIT, viewQueued, willBeReady, withoutRuns } from '../keys/runQueue.ts';
import type { EventOf, Reducer, ReducerTools, Reduction } from '../state/events.ts';
import type { QueuedRun } from '../state/queuedRun.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { statusFrame, toAll, toOnly } from '../view/frames.ts';
import { beginRun } from './advance.ts';
import { proposePlan } from './cascadePrompt.ts';
import { append, reduction, refuse } from './reductions.ts';
import { cellsOfRunAll } from './runAll.ts';
import { whyBusy, whyNotNow } from './whyRefused.ts';

type QueueAdded = EventOf<'add_to_queue'>;

/** The sender got its reply when the run was queued. */
const NO_TICKET = 0;

export const addToQueue: Reducer<'add_to_queue'> = (state, event, tools) => {
  const { cellIds } = event;
  const unknown = cellIds?.find((id) => !state.cells.has(id));
  if (unknown !== undefined) {
    return refuse(state, event, new AppError('not_found', 'Cell not found', { cell_id: unknown }));
  }
  const ids = cellIds?.filter((id) => factsOf(state.cells.get(id))?.runs !== false) ?? [null];
  for (const id of ids) {
    const refused = environmentComes(state) ? null : whyNever(state, id);
    if (refused !== null) return refuse(state, event, refused);
  }
  if (state.queue.length + ids.length > QUEUE_LIMIT) {
    const message = `More than ${QUEUE_LIMIT} runs are already waiting. Wait until some are done, or remove some.`;
    return refuse(state, event, new AppError('conflict', message));
  }
  const prompt = upstreamsToAskAbout(state, event, tools);
  const reply = { type: 'reply', ticket: event.ticket, reply: { kind: 'done' } } as const;
  if (prompt !== null) return reduction(prompt.state, prompt.frames, [reply]);
  if (ids.length === 0) return reduction(state, readyTexts(state, event), [reply]);
  const runs = ids.map(
    (cellId): QueuedRun => ({
      id: tools.newId(),
      cellId,
      mode: event.mode,
      continueOnError: event.continueOnError,
      ifStale: event.ifStale,
      afterJob: event.afterJob,
      origin: event.origin,
      dropped: null,
      auto: null,
      agreed: event.ifStale || event.origin.kind === 'caller' ? 'all' : new Set(event.agreed),
    }),
  );
  return reduction({ ...state, queue: enqueue(state.queue, runs) }, [], [reply]);
};

export const removeFromQueue: Reducer<'remove_from_queue'> = (state, event) =>
  reduction(
    { ...state, queue: withoutRuns(state.queue, event.ids) },
    [],
    [{ type: 'reply', ticket: event.ticket, reply: { kind: 'done' } }],
  );

export const moveInQueue: Reducer<'move_in_queue'> = (state, event) =>
  reduction(
    { ...state, queue: movedRun(state.queue, event.id, event.beforeId) },
    [],
    [{ type: 'reply', ticket: event.ticket, reply: { kind: 'done' } }],
  );

/** Text cells have nothing to run: a request with only those is answered with ready. */
function readyTexts(state: SessionState, { origin, cellIds }: QueueAdded): readonly AddressedFrame[] {
  if (origin.kind !== 'socket') return [];
  return (cellIds ?? []).flatMap((id) => {
    const cell = state.cells.get(id);
    return cell === undefined ? [] : [toOnly(origin.socketId, statusFrame(cell).frame)];
  });
}

/** One prompt for all cells of a request; null if no prompt is needed. */
function upstreamsToAskAbout(
  state: SessionState,
  event: QueueAdded,
  tools: ReducerTools,
): { readonly state: SessionState; readonly frames: Reduction['frames'] } | null {
  if (event.mode !== 'normal' || event.ifStale || event.cellIds === null) return null;
  if (event.origin.kind !== 'socket' || event.afterJob !== null) return null;
  const ready = willBeReady(state);
  const agreedCells = new Set(event.agreed);
  const steps: CellId[] = [];
  let mustAsk = false;
  for (const id of event.cellIds) {
    if (factsOf(state.cells.get(id))?.runs === false) continue;
    const needed = neededBy(state, id).filter((above) => !ready.has(above));
    mustAsk ||= needed.some((above) => !agreedCells.has(above));
    for (const one of [...needed, id]) {
      if (!steps.includes(one)) steps.push(one);
      ready.add(one);
    }
  }
  if (!mustAsk) return null;
  const targets = event.cellIds.filter((id) => steps.includes(id));
  return proposePlan(state, { planId: tools.newId(), targets, steps }, event.origin.socketId);
}

/** Whether environment work is in progress that runs wait for. */
function environmentComes({
  environment: { environment, job },
  trusted,
  folderGone,
  closing,
}: SessionState): boolean {
  return (
    trusted && !folderGone && !closing && (job?.status === 'running' || environment.sync_state === 'pending')
  );
}

/** Whether a run of the notebook can wait in the queue, or is certain to be refused. */
export function canQueue(state: SessionState): boolean {
  return environmentComes(state) || whyNever(state, null) === null;
}

/** Why a run would always be refused; null if it can run. */
function whyNever(state: SessionState, cellId: CellId | null): AppError | null {
  const refused = whyNotNow(state, cellId);
  if (refused !== null || state.graphError === null) return refused;
  return new AppError('conflict', state.graphError, cellId === null ? {} : { cell_id: cellId });
}

function isFree(state: SessionState): boolean {
  return !state.closing && state.hold === null && whyBusy(state, null) === null && !environmentComes(state);
}

/** After any event: removes runs that can no longer succeed from the queue, and starts the next one. */
export function continueQueue(
  before: SessionState,
  after: Reduction,
  { atMs, tools }: { readonly atMs: number; readonly tools: ReducerTools },
): Reduction {
  if (before.queue.length === 0 && after.state.queue.length === 0) return after;
  let next = after;
  const droppedRuns: QueuedRun[] = [];
  while (next.state.queue.length > 0) {
    const { queue } = next.state;
    droppedRuns.push(...queue.filter((run) => run.dropped !== null));
    const [first, ...rest] = queue.some((run) => run.dropped !== null)
      ? queue.filter((run) => run.dropped === null)
      : queue;
    if (first === undefined || !isFree(next.state)) {
      if (queue.length !== rest.length + (first === undefined ? 0 : 1)) {
        next = append(next, reduction({ ...next.state, queue: first === undefined ? [] : [first, ...rest] }));
      }
      break;
    }
    const free: SessionState = { ...next.state, queue: rest };
    const why = whyDropped(free, first);
    if (why === null) next = append(next, begin(free, first, { atMs, tools }));
    else {
      next = append(next, reduction(free));
      if (why !== '') droppedRuns.push({ ...first, dropped: why });
    }
  }
  const change = changeOf(before.queue, next.state.queue, droppedRuns);
  return change === null
    ? next
    : append(next, reduction(next.state, [toAll({ type: 'run_queue', payload: change })]));
}

/** Why a run does not begin in its turn: a message, '' if there is nothing to report, null if it begins. */
function whyDropped(state: SessionState, run: QueuedRun): string | null {
  const { cellId, afterJob } = run;
  if (cellId !== null) {
    const cell = state.cells.get(cellId);
    if (cell === undefined || (run.ifStale && cell.status === 'ready')) return '';
    // Edited since, or more than was planned: the next edit that is finished plans again.
    if (run.auto !== null && !isStillPlanned(state, cellId, run.auto)) return '';
  }
  // The failed job reports itself.
  if (afterJob !== null && jobFailed(state, afterJob)) return '';
  return whyNever(state, cellId)?.message ?? null;
}

function jobFailed({ environment: { job, history } }: SessionState, id: string): boolean {
  return [job, ...history].some((one) => one?.id === id && one.status === 'failed');
}

/** Starts the run itself, with the current text and plan. */
function begin(
  state: SessionState,
  run: QueuedRun,
  { atMs, tools }: { readonly atMs: number; readonly tools: ReducerTools },
): Reduction {
  const { cellId, mode, origin } = run;
  const runId = tools.newId();
  const common = { runId, mode, origin, ticket: NO_TICKET, startedAtMs: atMs } as const;
  if (cellId === null) {
    const waiting = cellsOfRunAll(state);
    if (waiting.length === 0) return reduction(state);
    const { continueOnError } = run;
    return beginRun(state, {
      ...common,
      kind: 'all',
      targetId: null,
      planId: null,
      continueOnError,
      waiting,
    });
  }
  const upstreams = mode === 'force' ? [] : neededBy(state, cellId);
  const mayRun = (id: CellId) => run.agreed === 'all' || run.agreed.has(id);
  const asks = mode === 'normal' && origin.kind === 'socket' && state.sockets.has(origin.socketId);
  // An upstream cell changed: the plan exceeds what was agreed. Without a client to prompt, it runs.
  if (asks && !upstreams.every(mayRun)) {
    const plan = { planId: runId, targets: [cellId], steps: [...upstreams, cellId] };
    const prompt = proposePlan(state, plan, origin.socketId);
    return reduction(prompt.state, prompt.frames);
  }
  const isCascade = upstreams.length > 0;
  return beginRun(state, {
    ...common,
    kind: isCascade ? 'cascade' : 'single',
    targetId: cellId,
    planId: isCascade ? runId : null,
    continueOnError: true,
    waiting: [...upstreams, cellId],
  });
}

function changeOf(
  before: readonly QueuedRun[],
  after: readonly QueuedRun[],
  droppedRuns: readonly QueuedRun[],
): RunQueueChange | null {
  if (before === after && droppedRuns.length === 0) return null;
  const [had, has] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))];
  const added = after.filter(({ id }) => !had.has(id)).map(viewQueued);
  const removed = before.filter(({ id }) => !has.has(id)).map(({ id }) => id);
  const why = droppedRuns.flatMap(({ cellId, dropped: message }) =>
    message === null || message === '' ? [] : [{ cell_id: cellId, message }],
  );
  const remaining = before.filter(({ id }) => has.has(id));
  const isMoved = after.filter(({ id }) => had.has(id)).some(({ id }, at) => remaining[at]?.id !== id);
  if (added.length + removed.length + why.length === 0 && !isMoved) return null;
  return {
    added,
    removed,
    ...(isMoved ? { order: after.map(({ id }) => id) } : {}),
    ...(why.length === 0 ? {} : { dropped: why }),
  };
}
