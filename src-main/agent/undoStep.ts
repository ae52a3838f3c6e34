/** Collects the changes of one assistant job as one step that the user can undo. */

import type { UndoEntry } from '../../src-shared/wire/undo.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import type { AgentNotebook } from './agentNotebook.ts';

export type UndoChange = Extract<UndoEntry['changes'][number], { kind: 'added' | 'deleted' | 'source' }>;

/**
 * The changes of a job as one entry of the notebook's undo stack. Each change is recorded before it is made:
 * if the server is killed in between, a change that was made can be undone, and the record of one that was
 * not made has no effect.
 */
interface UndoStep {
  /**
   * Makes a change.
   * @param planned the expected change
   * @param make makes it; returns the actual change, null if it was not made
   * @returns why it cannot be undone after a restart, or null
   */
  make(planned: UndoChange, make: () => Promise<UndoChange | null>): Promise<string | null>;
  /** The text of a cell before the job changed it; null if it did not. */
  textBefore(cellId: string): string | null;
  /** Null: nothing was changed. */
  readonly id: string | null;
}

const HELD = 'The notebook’s folder is held, so the undo step of this change is not saved.';

const ASSISTANT_DEED = 'assistant';

export function createUndoStep(notebook: AgentNotebook, jobId: string): UndoStep {
  let changes: readonly UndoChange[] = [];
  const id = `assistant-${jobId}`;
  const entryOf = (all: readonly UndoChange[]): UndoEntry => ({
    id,
    deed: ASSISTANT_DEED,
    changes: [...all],
  });
  const keep = async (all: readonly UndoChange[]): Promise<string | null> => {
    if (notebook.views.notebook.hold === 'held') return HELD;
    const undoEntries = all.length === 0 ? [] : [entryOf(all)];
    try {
      await notebook.views.editor.undoRecord.keep({
        done: undoEntries,
        undone: [],
        gone: undoEntries.length === 0 ? [id] : [],
      });
      return null;
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      return `The undo step of this change could not be saved: ${String(error)}`;
    }
  };
  return {
    get id() {
      return changes.length === 0 ? null : id;
    },
    textBefore(cellId) {
      const change = changes.find((one) => one.kind === 'source' && one.cellId === cellId);
      return change?.kind === 'source' ? change.before : null;
    },
    async make(planned, make) {
      // Not merged with earlier changes of the cell: each of them may be the last one that was made.
      const prepared = [...changes, planned];
      const early = await keep(prepared);
      const createdId = await make();
      if (createdId === null) return keep(changes);
      changes = withChange(changes, createdId);
      const entry = entryOf(changes);
      notebook.announce([{ frame: { type: 'undo_recorded', payload: entry }, to: { kind: 'all' } }]);
      const isKept = early === null && JSON.stringify(changes) === JSON.stringify(prepared);
      return isKept ? null : keep(changes);
    },
  };
}

/**
 * Adds a change: each cell has at most one text change, from before the job to now; a cell that the job added
 * has none, because undoing removes the whole cell.
 */
export function withChange(changes: readonly UndoChange[], change: UndoChange): readonly UndoChange[] {
  const { cellId } = change;
  const isOwn = changes.some((one) => one.kind === 'added' && one.cellId === cellId);
  if (change.kind === 'source') {
    if (isOwn) return changes;
    const before = changes.find((one) => one.kind === 'source' && one.cellId === cellId);
    if (before?.kind !== 'source') return [...changes, change];
    if (before.before === change.after) return changes.filter((one) => one !== before);
    return changes.map((one) => (one === before ? { ...before, after: change.after } : one));
  }
  if (change.kind === 'deleted' && isOwn) return changes.filter((one) => one.cellId !== cellId);
  return [...changes, change];
}
