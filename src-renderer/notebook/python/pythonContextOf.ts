import { factsOf } from '../../../src-shared/notebook/languages/languages.ts';
import type { LanguagePlace } from '../../../src-shared/wire/routes/language.ts';
import type { PythonContext } from '../../editor/python/pythonContext.ts';
import type { NotebookSession } from '../../live/notebookSession.ts';
import { knownNames } from '../../state/knownNames.ts';
import { showLanguageDialog } from './languageDialog.ts';

/** Language services for the text of a Python cell; null for other cells. */
export function pythonContextOf(session: NotebookSession, cellId: string): PythonContext | null {
  const { model } = session.store.getState();
  if (factsOf(model.cells[cellId]?.cell)?.hasServices !== true) return null;
  return {
    ask: (question, signal) => session.language.ask(cellId, question, signal),
    goTo: (place) => goToPlace(session, place),
    showUses: (name, places) => showLanguageDialog({ kind: 'uses', name, places }),
    rename: (name, ask) => showLanguageDialog({ kind: 'rename', name, ask }),
    say: (words) => session.say(words),
    offered: () => new Set(knownNames(session.store.getState().model, cellId).map(({ name }) => name)),
  };
}

export function goToPlace(session: NotebookSession, place: LanguagePlace): void {
  if (place.in === 'file') showLanguageDialog({ kind: 'file', place });
  else session.markLine({ cellId: place.cell_id, line: place.span.start.line + 1 });
}
