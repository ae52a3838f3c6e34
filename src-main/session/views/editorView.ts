/** What the window's editor gets from a session: language help, history, undo record and drafts. */

import type { NotebookLanguage } from '../../lsp/notebookLanguage.ts';
import type { CellHistory } from '../../notebook/history/cellHistory.ts';
import type { UndoRecord } from '../../notebook/history/undoStack.ts';
import type { NotebookDrafts } from '../../notebook/stored/storedDrafts.ts';

/** What windows need, besides the cells, to edit a notebook. */
export interface EditorView {
  /** Answers the editor's questions about its Python cells. */
  readonly language: Pick<NotebookLanguage, 'ask'>;
  /** Previous texts of cells, including deleted cells. */
  readonly history: Pick<CellHistory, 'list' | 'read' | 'cells'>;
  /** The actions that can be undone, of all windows. */
  readonly undoRecord: UndoRecord;
  readonly drafts: NotebookDrafts;
}
