/** The part of the session's reducer that takes changes of the notebook's files by other programs. */

import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { ANOTHER_PROGRAM } from '../../../src-shared/wire/presence.ts';
import { inFileOrder, relink } from '../keys/relink.ts';
import { walkStatuses } from '../keys/statuses.ts';
import type { Effect, FolderChanges, Reducer, ReducerTools } from '../state/events.ts';
import type { AddressedFrame } from '../state/requests.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { notebookStateFrame, presenceFrames, toAll } from '../view/frames.ts';
import { withAutoRuns } from './autoRun.ts';
import { askForModules, reduction, unchanged } from './reductions.ts';

const OTHER_PROGRAM = { kind: 'caller', identity: ANOTHER_PROGRAM } as const;

/**
 * Another program changed files of the notebook: the notebook takes their content. A missing or unreadable
 * file removes nothing: the cell keeps its source and reports the problem. Pending edits are not overwritten
 * by this; their writes are refused and reported to their authors (`writeSource`).
 */
export const onFilesChanged: Reducer<'files_changed'> = (state, event, tools) => {
  const { followed: filesChange } = event;
  const cells = new Map<CellId, CellState>(state.cells);
  const added = filesChange.added.filter((cell) => !cells.has(cell.id));
  const removed = filesChange.removed.filter((id) => cells.has(id));
  for (const id of removed) cells.delete(id);
  for (const cell of added) cells.set(cell.id, cell);
  const rewritten = takeIn(cells, filesChange, tools);
  const outside = new Map(state.outside);
  // Counted as in `createFileEffects`, whether the text or only its encoding changed.
  for (const { id, problem } of filesChange.changed) {
    if (problem === null) outside.set(id, (outside.get(id) ?? 0) + 1);
  }
  const locks = new Map(state.locks);
  for (const id of rewritten) locks.set(id, { identity: ANOTHER_PROGRAM, atMs: event.atMs });
  const merged: SessionState = {
    ...state,
    file: filesChange.file,
    cells,
    outside,
    locks,
    folderProblem: null,
    folderGone: false,
  };
  const after = walkStatuses(relink({ ...merged, cells: inFileOrder(merged) }));
  const frames: AddressedFrame[] =
    after.sockets.size === 0
      ? []
      : [
          toAll(notebookStateFrame(after)),
          ...presenceFrames(after),
          toAll({
            type: 'files_changed',
            payload: { cell_ids: [...rewritten], added: added.length, removed: removed.length },
          }),
        ];
  // Counts as a finished edit: a program saves a file when its author wants to. Only while an open window
  // shows the runs.
  const queued =
    rewritten.length === 0 || after.sockets.size === 0
      ? null
      : withAutoRuns(after, { edited: rewritten, origin: OTHER_PROGRAM, newId: tools.newId });
  if (queued !== null) frames.push(toAll({ type: 'auto_run_report', payload: queued.report }));
  return reduction(queued?.state ?? after, frames, [
    ...effectsOf(state, removed),
    ...askForModules(after, after.cells.values()),
  ]);
};

/**
 * The folder is missing, or its notebook.toml is unreadable: reported until it is fixed; nothing is removed.
 */
export const onFolderLost: Reducer<'folder_lost'> = (state, event) => {
  if (state.folderProblem === event.problem) return unchanged(state);
  const next: SessionState = { ...state, folderProblem: event.problem, folderGone: event.gone };
  return reduction(next, state.sockets.size === 0 ? [] : [toAll(notebookStateFrame(next))]);
};

/** Applies the files to `cells`; returns the ids of cells with a changed source. */
function takeIn(
  cells: Map<CellId, CellState>,
  changes: FolderChanges,
  tools: ReducerTools,
): readonly CellId[] {
  const rewritten: CellId[] = [];
  for (const { id, source, testSource, problem } of changes.changed) {
    const cell = cells.get(id);
    if (cell === undefined) continue;
    if (problem !== null) {
      cells.set(id, { ...cell, fileProblem: problem });
      continue;
    }
    const isRewritten = source !== cell.source;
    const analysis = isRewritten ? tools.analyze(cell.language, source) : cell.analysis;
    // The file can be read again: the cell's error may have been about the file only.
    const lastError = cell.fileProblem === null ? cell.lastError : null;
    cells.set(id, { ...cell, source, testSource, fileProblem: null, analysis, blocked: false, lastError });
    if (isRewritten) rewritten.push(id);
  }
  return rewritten;
}

/** The run of a deleted cell ends: its result is not needed. */
function effectsOf(state: SessionState, removed: readonly CellId[]): readonly Effect[] {
  const { running } = state;
  const saved: Effect = { type: 'save_runtime', cellIds: [...removed] };
  return running?.current != null && removed.includes(running.current.cellId)
    ? [saved, { type: 'cancel_step', runId: running.runId, manner: 'soon' }]
    : [saved];
}
