/** Lists the texts of a notebook that find and replace searches: sources, consoles, errors and displays. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import { TerminalText } from '../../src-shared/terminal/terminalText.ts';
import type { ConsoleText } from '../state/consoleText.ts';
import { consoleString } from '../state/consoleText.ts';
import type { NotebookView } from '../state/notebookStore.ts';
import { shownSource } from '../state/notebookStore.ts';
import { shownError } from '../state/shownError.ts';
import type { SearchText } from './searchText.ts';

/** The searchable texts of a notebook, in reading order. Folded outputs are left out. */
export function* cellTexts(view: NotebookView): Generator<SearchText> {
  for (const cellId of view.model.order) {
    const model = view.model.cells[cellId];
    if (model === undefined) continue;
    yield { cellId, area: 'source', text: shownSource(view, cellId) };
    if (view.folded[cellId] === true || !LANGUAGES[model.cell.language].runs) continue;
    yield { cellId, area: 'stdout', text: plainConsoleText(model.stdout) };
    yield { cellId, area: 'stderr', text: plainConsoleText(model.stderr) };
    const error = shownError(model.cell);
    if (error !== null) {
      yield { cellId, area: 'error', text: error.text };
      continue;
    }
    for (const [
      at,
      { content_type, markdown_text, preview, text: summary },
    ] of model.cell.display_outputs.entries()) {
      const plain = content_type === 'text/plain' && typeof preview === 'string' ? preview : '';
      const text = markdown_text ?? summary ?? plain;
      if (text !== '') yield { cellId, area: `display-${at}`, text };
    }
  }
}

/** The text of a console without escape codes, cached for each state of the console. */
const textCache = new WeakMap<ConsoleText, string>();

function plainConsoleText(console: ConsoleText): string {
  if (console.total === 0) return '';
  const cachedText = textCache.get(console);
  if (cachedText !== undefined) return cachedText;
  const terminal = new TerminalText();
  terminal.feed(consoleString(console));
  const lines = Array.from({ length: terminal.count }, (_none, at) => terminal.text(at));
  const text = lines.join('\n');
  textCache.set(console, text);
  return text;
}
