import type { LanguageFault } from '../../../src-shared/wire/routes/language.ts';
import type { NotebookText } from '../document/notebookText.ts';
import { VirtualDocument } from '../document/virtualDocument.ts';
import { documentFor, type Focus } from '../document/visibleCells.ts';
import { readFaults } from './fromServer.ts';
import type { QuestionServer } from './question.ts';

/**
 * Answers the editor's request for a cell's type errors: the language server's diagnostics, without those that the
 * notebook's own analysis reports.
 */
export async function askFaults(
  { notebook, focus }: { readonly notebook: NotebookText; readonly focus: Focus },
  languageServer: QuestionServer,
): Promise<LanguageFault[]> {
  const document = new VirtualDocument(documentFor(notebook, focus));
  languageServer.show(document);
  const serverFaults = readFaults(await languageServer.request('textDocument/diagnostic', {}));
  const cell = notebook.cells.find(({ id }) => id === focus.cellId);
  return serverFaults.flatMap((fault) => {
    const place = document.spanToCell(fault.span);
    if (place === null || place.cellId !== focus.cellId) return [];
    const name = /`([^`]+)`/.exec(fault.message)?.[1] ?? '';
    if (fault.code === 'unresolved-reference' && cell?.references.includes(name)) return [];
    return [{ ...fault, span: place.span }];
  });
}
