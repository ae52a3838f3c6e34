/** Helpers of the session's reducer that build and combine reductions: new state, frames and effects. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { AppError } from '../../../src-shared/wire/errors.ts';
import type { Effect, Reduction } from '../state/events.ts';
import type { AddressedFrame, Origin } from '../state/requests.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { refusalFrames } from '../view/frames.ts';

/** An event that changes nothing and sends nothing. */
export function unchanged(state: SessionState): Reduction {
  return { state, frames: [], effects: [] };
}

/** A reduction with these frames and effects. */
export function reduction(
  state: SessionState,
  frames: readonly AddressedFrame[] = [],
  effects: readonly Effect[] = [],
): Reduction {
  return { state, frames, effects };
}

/** Combines the reductions of several steps of one event. */
export function append(before: Reduction, after: Reduction): Reduction {
  return {
    state: after.state,
    frames: [...before.frames, ...after.frames],
    effects: [...before.effects, ...after.effects],
  };
}

/** Refuses a request: an error frame to a socket, a refused reply to a caller; nothing changes. */
export function refuse(
  state: SessionState,
  event: { readonly origin: Origin; readonly ticket: number },
  error: AppError,
): Reduction {
  return reduction(state, refusalFrames(event.origin, error), [
    { type: 'reply', ticket: event.ticket, reply: { kind: 'refused', error } },
  ]);
}

/** The refusal of a session that is ending: a request would not be done, nor written to disk. */
export function refuseClosing(
  state: SessionState,
  event: { readonly origin: Origin; readonly ticket: number },
): Reduction {
  return refuse(state, event, new AppError('conflict', 'The session is closing.'));
}

/** Requests a check of the folder if some cell imports a name that was not looked up yet. */
export function askForModules(state: SessionState, cells: Iterable<CellState>): readonly Effect[] {
  const { asked: askedNames, stars } = state.modules;
  for (const { analysis } of cells) {
    const isNew = analysis.unseen.stars.some(({ text }) => stars?.has(text) !== true);
    if (isNew || analysis.moduleNames.some((name) => !askedNames.has(name)))
      return [{ type: 'read_modules' }];
  }
  return [];
}

/** The state with changed fields of one cell. */
export function withCell(state: SessionState, id: CellId, change: Partial<CellState>): SessionState {
  const cell = state.cells.get(id);
  if (cell === undefined) return state;
  return { ...state, cells: new Map(state.cells).set(id, { ...cell, ...change }) };
}
