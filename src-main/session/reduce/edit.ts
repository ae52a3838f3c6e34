/** The part of the session's reducer that takes edits of cell sources, and reports when they are on disk. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { isSourceTooLong } from '../../../src-shared/wire/routes/params.ts';
import { sourceProblem } from '../../notebook/file/cellFile.ts';
import { haveSameLinks, relink, sameEntry } from '../keys/relink.ts';
import { shownRunning, walkStatuses } from '../keys/statuses.ts';
import type { Effect, EventOf, Reducer, ReducerTools, Reduction } from '../state/events.ts';
import { namedAuthor } from '../state/namedAuthor.ts';
import type { CellState, SessionState } from '../state/state.ts';
import {
  dagFrames,
  notebookStateFrame,
  presenceFrames,
  refusalFrames,
  statusFrames,
  toAll,
} from '../view/frames.ts';
import {
  append,
  askForModules,
  reduction,
  refuse,
  refuseClosing,
  unchanged,
  withCell,
} from './reductions.ts';

function whyRefused(state: SessionState, event: EventOf<'edit_source'>): AppError | null {
  const { cellId, origin } = event;
  const context = { cell_id: cellId };
  const cell = state.cells.get(cellId);
  if (cell === undefined) return new AppError('not_found', 'Cell not found', context);
  if (isSourceTooLong(event.source)) {
    return new AppError('bad_request', 'Cell source exceeds 1MB limit', context);
  }
  const problem = sourceProblem(event.source);
  if (problem !== null) return new AppError('bad_request', `${cell.entry.file} ${problem}.`, context);
  const { running } = state;
  const isBusy =
    shownRunning(state) === cellId || running?.current?.cellId === cellId || running?.targetId === cellId;
  if (origin.kind === 'socket' && isBusy) {
    return new AppError('cell_busy', 'The cell is running. Stop it or wait before you change it.', context);
  }
  const lock = state.locks.get(cellId);
  const isLocked =
    lock !== undefined &&
    lock.identity !== origin.identity &&
    event.atMs - lock.atMs < state.options.cellLockSeconds * 1000;
  if (isLocked && !event.force) {
    return new AppError('cell_locked', `${lock.identity} changed this cell a moment ago.`, {
      ...context,
      held_by: lock.identity,
    });
  }
  const isOvertaken = event.base !== undefined && event.base !== cell.source && event.source !== cell.source;
  if (isOvertaken) {
    const who = lock?.identity ?? cell.entry.updatedBy ?? origin.identity;
    // The user's own name would not help: the other edit came from another window or program.
    const message =
      who === origin.identity
        ? 'This cell was changed elsewhere in the meantime.'
        : `${who} changed this cell in the meantime.`;
    return new AppError('cell_locked', message, { ...context, held_by: who });
  }
  return null;
}

/** A socket has the identity of its last edit; if it never sent a position, it is at the cell it edits. */
function withEditor(
  sockets: SessionState['sockets'],
  { origin, cellId, atMs }: EventOf<'edit_source'>,
): SessionState['sockets'] {
  const socket = origin.kind === 'socket' ? sockets.get(origin.socketId) : undefined;
  if (origin.kind !== 'socket' || socket === undefined) return sockets;
  const focusedCellId = socket.focusedCellId ?? cellId;
  if (socket.identity === origin.identity && socket.focusedCellId === focusedCellId) return sockets;
  const since = atMs / 1000;
  return new Map(sockets).set(origin.socketId, { identity: origin.identity, focusedCellId, since });
}

/** A cell's source changes in memory at once; the reply waits until it is on disk. */
export const editSource: Reducer<'edit_source'> = (state, event, tools) => {
  if (state.closing) return refuseClosing(state, event);
  const refused = whyRefused(state, event);
  if (refused !== null) return refuse(state, event, refused);
  const { cellId, source, origin } = event;
  const cell = state.cells.get(cellId);
  if (cell === undefined) return unchanged(state);
  const analysis = tools.analyze(cell.language, source);
  const relinked = !haveSameLinks(cell.analysis, analysis);
  const author = namedAuthor(origin.identity);
  const edited = withCell(state, cellId, {
    source,
    analysis,
    blocked: false,
    entry: author === null ? cell.entry : { ...cell.entry, updatedBy: author },
  });
  const linked = relinked ? relink(edited) : edited;
  const visited: SessionState = {
    ...linked,
    locks: new Map(state.locks).set(cellId, { identity: origin.identity, atMs: event.atMs }),
    visitors:
      origin.kind === 'caller'
        ? new Map(state.visitors).set(origin.identity, { cellId, since: event.atMs / 1000 })
        : state.visitors,
    sockets: withEditor(state.sockets, event),
  };
  const after = walkStatuses(visited);
  const effects: Effect[] = [writeOf(state, event)];
  effects.push(...askForModules(after, [{ ...cell, analysis }]));
  if (origin.kind === 'caller') effects.push({ type: 'expire_visitor', identity: origin.identity });
  const frames =
    origin.kind === 'socket'
      ? [
          ...presenceFrames(after),
          ...dagFrames(after, { cellId, source }, origin),
          ...statusFrames(state, after),
        ]
      : [toAll(notebookStateFrame(after)), ...presenceFrames(after)];
  return reduction(after, state.sockets.size === 0 ? [] : frames, effects);
};

/**
 * The edit is durable; or another program was first, and the user decides; or the disk refused it: then it
 * stays in the session, all clients get a notice at the cell, and it is written again until it succeeds.
 */
export const onSourceWritten: Reducer<'source_written'> = (state, event, tools) => {
  const { refused, origin, cellId, ticket } = event;
  const cell = state.cells.get(cellId);
  if (refused !== null) {
    const refusal = reduction(state, refusalFrames(origin, refused), [
      { type: 'reply', ticket, reply: { kind: 'refused', error: refused } },
    ]);
    if (cell === undefined) return refusal;
    if (refused.code !== 'source_not_saved') return { ...refusal, state: withEntry(state, event) };
    const unsaved = withCell(state, cellId, { fileProblem: refused.message });
    const after = { ...unsaved, unsaved: new Set(state.unsaved).add(cellId) };
    const again: Effect = { type: 'write_again_later', cellId, origin };
    const isNews = cell.fileProblem !== refused.message;
    return append(refusal, reduction(after, isNews ? [toAll(notebookStateFrame(after))] : [], [again]));
  }
  const unsaved = new Set([...state.unsaved].filter((id) => id !== cellId));
  const next = withEntry({ ...state, file: event.file, unsaved }, event);
  const reply: Effect = { type: 'reply', ticket, reply: { kind: 'done' } };
  if (event.merged !== null && cell !== undefined) {
    return withMerged(next, { cell, mine: event.source, ...event.merged, reply, tools });
  }
  if (cell?.fileProblem == null) return reduction(next, [], [reply]);
  const cleared = withCell(next, cellId, { fileProblem: null });
  return reduction(cleared, [toAll(notebookStateFrame(cleared))], [reply]);
};

/** The cell's block as it is in the file; its author does not change while a newer edit is being written. */
function withEntry(
  state: SessionState,
  { cellId, source, file }: Pick<EventOf<'source_written'>, 'cellId' | 'source' | 'file'>,
): SessionState {
  const cell = state.cells.get(cellId);
  const block = file.cells.find((candidate) => candidate.id === cellId);
  if (cell === undefined || block === undefined) return state;
  const entry = cell.source === source ? block : { ...block, updatedBy: cell.entry.updatedBy };
  return sameEntry(entry, cell.entry) ? state : withCell(state, cellId, { entry });
}

/** The file has the edit and an external change: the notebook gets both, and all clients get it. */
function withMerged(
  state: SessionState,
  merge: {
    readonly cell: CellState;
    readonly mine: string;
    readonly text: string;
    readonly theirs: string;
    readonly reply: Effect;
    readonly tools: ReducerTools;
  },
): Reduction {
  const { cell, mine, text, theirs, reply, tools } = merge;
  const analysis = tools.analyze(cell.language, text);
  const edited = withCell(state, cell.id, { source: text, analysis, blocked: false, fileProblem: null });
  // Counted in the same way as in `createFileEffects`: edits made before this reply know of one change less.
  const outside = new Map(state.outside).set(cell.id, (state.outside.get(cell.id) ?? 0) + 1);
  const after = walkStatuses(relink({ ...edited, outside }));
  const frames =
    after.sockets.size === 0
      ? []
      : [
          toAll(notebookStateFrame(after)),
          ...presenceFrames(after),
          toAll({
            type: 'files_changed',
            payload: {
              cell_ids: [cell.id],
              added: 0,
              removed: 0,
              merged: [{ cell_id: cell.id, mine, theirs }],
            },
          }),
        ];
  return reduction(after, frames, [reply, ...askForModules(after, [{ ...cell, analysis }])]);
}

/** Writes the current version of a text that the disk refused. No caller waits for the reply. */
export const onWriteDue: Reducer<'write_due'> = (state, event) => {
  const { cellId, origin } = event;
  const source = state.cells.get(cellId)?.source;
  if (!state.unsaved.has(cellId) || source === undefined) return unchanged(state);
  // A held folder is written when it is released.
  if (state.hold?.phase === 'held')
    return reduction(state, [], [{ type: 'write_again_later', cellId, origin }]);
  return reduction(state, [], [writeOf(state, { cellId, source, origin, ticket: NO_TICKET, force: false })]);
};

/** A ticket number that no request has. */
const NO_TICKET = 0;

function writeOf(
  state: SessionState,
  edit: Pick<EventOf<'edit_source'>, 'cellId' | 'source' | 'origin' | 'ticket' | 'force'>,
): Effect {
  const { cellId, source, origin, ticket, force } = edit;
  const outside = state.outside.get(cellId) ?? 0;
  return {
    type: 'write_source',
    ticket,
    origin,
    cellId,
    source,
    author: origin.identity,
    force,
    outside,
  };
}
