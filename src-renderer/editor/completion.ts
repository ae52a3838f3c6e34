/** Completion of names that other cells define, in the Monaco editor, for every language. */

import type { editor as MonacoEditor } from 'monaco-editor/editor';
import type { KnownName } from '../state/knownNames.ts';
import { completableNameAt } from './completableName.ts';
import { SQL_DIALECTS } from './language.ts';
import type { Monaco } from './monaco.ts';

/** The names to offer for a text model; empty if it does not belong to a cell. */
type NamesOf = (model: MonacoEditor.ITextModel) => readonly KnownName[];

/** Characters that open the list before a name is typed, by Monaco's language id. */
const BEGINNERS: Readonly<Record<string, readonly string[]>> = {
  python: [],
  r: [],
  'cellar-prompt': ['{'],
  ...Object.fromEntries(Object.keys(SQL_DIALECTS).map((id) => [id, [':']])),
};

/** Offers the names that other cells define, in every language. */
export function offerNames(monaco: Monaco, namesOf: NamesOf): void {
  for (const [language, triggerCharacters] of Object.entries(BEGINNERS)) {
    monaco.languages.registerCompletionItemProvider(language, {
      triggerCharacters: [...triggerCharacters],
      provideCompletionItems(model, position) {
        const { lineNumber, column } = position;
        const line = model.getLineContent(lineNumber);
        const context = completableNameAt(
          model.getLanguageId(),
          line.slice(0, column - 1),
          line.slice(column - 1),
        );
        if (context === null) return { suggestions: [] };
        const { typed, before, after } = context;
        const range = new monaco.Range(lineNumber, column - typed, lineNumber, column);
        const suggestions = namesOf(model).map(({ name, from }, at) => ({
          label: { label: name, description: from === name ? '' : from },
          kind: monaco.languages.CompletionItemKind.Variable,
          filterText: name,
          // In the order of the notebook.
          sortText: String(at).padStart(6, '0'),
          insertText: `${before}${name}${after}`,
          range,
        }));
        return { suggestions };
      },
    });
  }
}

/** Tab accepts the first completion when none is selected; Enter does not, it inserts a line break. */
export function addTabKey(monaco: Monaco, editor: MonacoEditor.IStandaloneCodeEditor): void {
  editor.addAction({
    id: 'cellar.takeFirstName',
    label: 'Accept first completion',
    precondition: 'textInputFocus && suggestWidgetVisible && !suggestWidgetHasFocusedSuggestion',
    keybindings: [monaco.KeyCode.Tab],
    run() {
      editor.trigger('cellar', 'selectFirstSuggestion', null);
      editor.trigger('cellar', 'acceptSelectedSuggestion', null);
    },
  });
}
