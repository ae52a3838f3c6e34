/** Opens the assistant with a prepared question about an error or a problem in a cell. */

import type { Diagnostic } from '../../../src-shared/wire/cell.ts';
import { quoteText } from '../../state/assistant/quoteText.ts';
import { cellName } from '../../state/cellName.ts';
import { layoutStore } from '../../state/layout.ts';
import { ASSISTANT_WORDS as W } from '../../words/assistant.ts';
import type { NotebookSession } from '../notebookSession.ts';

/** Opens the assistant with a question about a failed cell. The person reads it and sends it. */
export function askToFixError(session: NotebookSession, cellId: string, error: string): void {
  const name = cellName(session.store.getState().model, cellId);
  open(session, W.fixMessage(name, quoteText(error)), cellId);
}

/** Opens the assistant with a question about one problem in a cell's code. */
export function askToExplainFault(
  session: NotebookSession,
  cellId: string,
  { line, message }: Diagnostic,
): void {
  const name = cellName(session.store.getState().model, cellId);
  open(session, W.explainMessage(name, line, quoteText(message)), cellId);
}

function open(session: NotebookSession, message: string, cellId: string): void {
  layoutStore.getState().showPanel('assistant');
  session.assistant.prepare(message, cellId);
}
