/** The part of the session's reducer for consoles inside cells: open, evaluate, complete, interrupt and close. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { ServerPayload } from '../../../src-shared/wire/frames/server.ts';
import { inspectOpening } from '../keys/inspectRequest.ts';
import { whyNoProcess } from '../keys/whyNoProcess.ts';
import type { ConsoleAction, Effect, EventOf, Reducer, Reduction } from '../state/events.ts';
import {
  CLOSED_MESSAGES,
  type InspectionState,
  MAX_EXPRESSION_CHARACTERS,
  MAX_INSPECTIONS,
  MAX_PENDING,
  NOTHING_OPEN,
} from '../state/inspectState.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { SessionState } from '../state/state.ts';
import { toOnly } from '../view/frames.ts';
import { inspectAnswerPayload, inspectStartPayload } from '../view/inspectFrames.ts';
import { closedFrame, unanswered } from './inspectOutlived.ts';
import { reduction, refuse, unchanged } from './reductions.ts';

/**
 * Consoles inside cells (docs/spec/tests-and-consoles.md, 2; docs/spec/live-protocol.md, 4): one per cell, reopening
 * replaces it, replies go to the sender. They hold no reservation: a run may be in progress, and a console never
 * changes a result.
 */
type ConsoleRequest = EventOf<
  'open_console' | 'ask_console' | 'complete_console' | 'interrupt_console' | 'close_console'
>;

export const openConsole: Reducer<'open_console'> = (state, event, tools) => {
  const { cellId, origin } = event;
  if (origin.kind !== 'socket') return unchanged(state);
  const refused = whyNoProcess(state, { cell_id: cellId });
  if (refused !== null) return refuse(state, event, refused);
  const cell = state.cells.get(cellId);
  if (cell === undefined) return unknownCell(state, event);
  const before = state.inspections.get(cellId);
  const { whyNoConsole } = LANGUAGES[cell.language];
  if (whyNoConsole !== null) return notOpened(state, event, whyNoConsole);
  if (before === undefined && state.inspections.size >= MAX_INSPECTIONS) {
    return notOpened(state, event, `At most ${MAX_INSPECTIONS} consoles can be open. Close one first.`);
  }
  const opening = inspectOpening(state, cell);
  if (opening === null) return unchanged(state);
  const inspectId = tools.newId();
  const { socketId: by } = origin;
  const next = withInspection(state, cellId, { inspectId, waiting: [{ socketId: by, expr: null }] });
  const open = deed(inspectId, cellId, { type: 'open', socketId: by, opening });
  if (before === undefined) return reduction(next, [], [open]);
  return reduction(
    next,
    [
      ...unanswered(cellId, before, CLOSED_MESSAGES.reopened),
      closedFrame(cellId, { reason: 'reopened', message: CLOSED_MESSAGES.reopened, by }),
    ],
    [deed(before.inspectId, cellId, { type: 'close' }), open],
  );
};

export const askConsole: Reducer<'ask_console'> = (state, event) => {
  const { cellId, expr, origin } = event;
  if (origin.kind !== 'socket') return unchanged(state);
  const open = state.inspections.get(cellId);
  const failed = (error: string): Reduction =>
    reduction(state, [
      toOnly(origin.socketId, {
        type: 'inspect_result',
        payload: { cell_id: cellId, action: 'eval', expr, ok: false, error },
      }),
    ]);
  if (open === undefined) return state.cells.has(cellId) ? failed(NOTHING_OPEN) : unknownCell(state, event);
  if (expr.length > MAX_EXPRESSION_CHARACTERS) {
    return failed(
      `An expression can have at most ${MAX_EXPRESSION_CHARACTERS.toLocaleString('en-US')} characters.`,
    );
  }
  if (open.waiting.filter((one) => one.expr !== null).length >= MAX_PENDING) {
    return failed(`At most ${MAX_PENDING} expressions can wait. Stop the running one, or wait for it.`);
  }
  const { socketId } = origin;
  const what: ConsoleAction = { type: 'evaluate', socketId, expr };
  return reduction(
    withInspection(state, cellId, { ...open, waiting: [...open.waiting, { socketId, expr }] }),
    [],
    [deed(open.inspectId, cellId, what)],
  );
};

/** During an evaluation a completion does not wait: it returns no names. */
export const completeConsole: Reducer<'complete_console'> = (state, event) => {
  const { cellId, text, origin } = event;
  if (origin.kind !== 'socket') return unchanged(state);
  const open = state.inspections.get(cellId);
  if (open === undefined && !state.cells.has(cellId)) return unknownCell(state, event);
  if (open === undefined || isEvaluating(open) || text.length > MAX_EXPRESSION_CHARACTERS) {
    return reduction(state, [completions(origin.socketId, { cell_id: cellId, asked: text, names: [] })]);
  }
  const what: ConsoleAction = { type: 'complete', socketId: origin.socketId, text };
  return reduction(state, [], [deed(open.inspectId, cellId, what)]);
};

export const onInspectCompleted: Reducer<'inspect_completed'> = (state, event) => {
  const { cellId, inspectId, socketId, text, names } = event;
  if (state.inspections.get(cellId)?.inspectId !== inspectId) return unchanged(state);
  return reduction(state, [completions(socketId, { cell_id: cellId, asked: text, names: [...names] })]);
};

function completions(socketId: string, payload: ServerPayload<'inspect_completions'>): AddressedFrame {
  return toOnly(socketId, { type: 'inspect_completions', payload });
}

/** Stops the current evaluation, whose reply reports that. Without an evaluation, no reply. */
export const interruptConsole: Reducer<'interrupt_console'> = (state, { cellId }) => {
  const open = state.inspections.get(cellId);
  return open === undefined
    ? unchanged(state)
    : reduction(state, [], [deed(open.inspectId, cellId, { type: 'interrupt' })]);
};

/** Closing a console that is not open is no error: another window may have been first. */
export const closeConsole: Reducer<'close_console'> = (state, event) => {
  const { cellId, origin } = event;
  if (origin.kind !== 'socket') return unchanged(state);
  const open = state.inspections.get(cellId);
  const answer = toOnly(origin.socketId, {
    type: 'inspect_result',
    payload: { cell_id: cellId, action: 'close', ok: true, result: 'closed', type: 'str' },
  });
  if (open === undefined) return reduction(state, [answer]);
  const { socketId: by } = origin;
  return reduction(
    without(state, cellId),
    [
      ...unanswered(cellId, open, CLOSED_MESSAGES.closed),
      answer,
      closedFrame(cellId, { reason: 'closed', message: CLOSED_MESSAGES.closed, by }),
    ],
    [deed(open.inspectId, cellId, { type: 'close' })],
  );
};

/** All clients already know about a console that was closed in the meantime. */
export const onInspectStarted: Reducer<'inspect_started'> = (state, event) => {
  const { cellId, inspectId, socketId, start } = event;
  const open = state.inspections.get(cellId);
  if (open?.inspectId !== inspectId) return unchanged(state);
  const waiting = open.waiting.filter(({ expr }) => expr !== null);
  const frame = toOnly(socketId, { type: 'inspect_result', payload: inspectStartPayload(cellId, start) });
  return start.kind === 'ready'
    ? reduction(withInspection(state, cellId, { ...open, waiting }), [frame])
    : reduction(without(state, cellId), [frame, ...unanswered(cellId, { waiting }, start.message)]);
};

/** A console replies in order; requests to an ended console were answered when it ended. */
export const onInspectAnswered: Reducer<'inspect_answered'> = (state, event) => {
  const { cellId, inspectId, socketId, expr, answer } = event;
  const open = state.inspections.get(cellId);
  if (open?.inspectId !== inspectId) return unchanged(state);
  const index = open.waiting.findIndex((one) => one.expr !== null);
  const next = { ...open, waiting: open.waiting.filter((_, at) => at !== index) };
  const payload = inspectAnswerPayload(cellId, { expr, answer });
  return reduction(withInspection(state, cellId, next), [
    toOnly(socketId, { type: 'inspect_result', payload }),
  ]);
};

export const onInspectEnded: Reducer<'inspect_ended'> = (state, { cellId, inspectId, message }) => {
  const open = state.inspections.get(cellId);
  if (open?.inspectId !== inspectId) return unchanged(state);
  return reduction(without(state, cellId), [
    ...unanswered(cellId, open, message),
    closedFrame(cellId, { reason: 'ended', message }),
  ]);
};

export const onInspectIdle: Reducer<'inspect_idle'> = (state, { cellId, inspectId }) => {
  const open = state.inspections.get(cellId);
  if (open?.inspectId !== inspectId || open.waiting.length > 0) return unchanged(state);
  return reduction(
    without(state, cellId),
    [closedFrame(cellId, { reason: 'idle', message: CLOSED_MESSAGES.idle })],
    [deed(inspectId, cellId, { type: 'close' })],
  );
};

function isEvaluating({ waiting }: InspectionState): boolean {
  return waiting.some(({ expr }) => expr !== null);
}

function deed(inspectId: string, cellId: CellId, what: ConsoleAction): Effect {
  return { type: 'inspect', inspectId, cellId, what };
}

function notOpened(state: SessionState, { cellId, origin }: ConsoleRequest, message: string): Reduction {
  if (origin.kind !== 'socket') return unchanged(state);
  const payload = inspectStartPayload(cellId, { kind: 'failed', message });
  return reduction(state, [toOnly(origin.socketId, { type: 'inspect_result', payload })]);
}

function unknownCell(state: SessionState, event: ConsoleRequest): Reduction {
  return refuse(state, event, new AppError('not_found', 'Cell not found', { cell_id: event.cellId }));
}

function withInspection(state: SessionState, cellId: CellId, inspection: InspectionState): SessionState {
  return { ...state, inspections: new Map(state.inspections).set(cellId, inspection) };
}

function without(state: SessionState, cellId: CellId): SessionState {
  const inspections = new Map(state.inspections);
  inspections.delete(cellId);
  return { ...state, inspections };
}
