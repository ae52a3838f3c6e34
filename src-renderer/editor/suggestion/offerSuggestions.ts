/** Shows suggestions of the AI model in grey at the caret of the editor; Tab accepts one. */

import type { editor as MonacoEditor, Position } from 'monaco-editor/editor';
import type { CaretPlace } from '../../state/assistant/suggestion.ts';
import { onThemeChange, preferences } from '../../theme/theme.ts';
import { SQL_DIALECTS } from '../language.ts';
import type { Monaco } from '../monaco.ts';

/** Requests a text to insert at the caret; '' if there is none. Never rejects. */
export type Suggest = (place: CaretPlace, signal: AbortSignal) => Promise<string>;

/** A suggestion is requested after a pause in typing of this length, in ms. */
const PAUSE_MS = 400;
const LANGUAGES = ['python', 'r', 'cellar-prompt', 'cellar-widget', ...Object.keys(SQL_DIALECTS)];

/**
 * Shows a suggestion of the AI model in grey at the caret, while the setting is on. Tab accepts it, Escape removes it,
 * Ctrl or ⌘ with the right arrow accepts its next word; these keys have their usual meaning while none is shown.
 * @param suggestOf of the cell that is being edited; null where nothing is suggested
 */
export function offerSuggestions(
  monaco: Monaco,
  editor: MonacoEditor.IStandaloneCodeEditor,
  suggestOf: (model: MonacoEditor.ITextModel) => Suggest | null,
): void {
  const switchBySetting = (): void => {
    const enabled = preferences().inlineSuggestions;
    editor.updateOptions({
      // All in grey: with syntax colours it would look like text of the cell.
      inlineSuggest: { enabled, mode: 'prefix', showToolbar: 'never', syntaxHighlightingEnabled: false },
      // The suggestion appears unasked, so it must not interrupt a screen reader.
      screenReaderAnnounceInlineSuggestion: false,
    });
  };
  switchBySetting();
  onThemeChange(switchBySetting);
  monaco.languages.registerInlineCompletionsProvider(LANGUAGES, {
    debounceDelayMs: PAUSE_MS,
    async provideInlineCompletions(model, position, { selectedSuggestionInfo }, token) {
      const suggest = suggestOf(model);
      // While an entry of the completion list is selected, Tab accepts that entry.
      if (suggest === null || selectedSuggestionInfo !== undefined) return NONE;
      // Checked for the editor's own requests too: text is sent to the provider only while the setting is on.
      if (!preferences().inlineSuggestions) return NONE;
      const place = placeOf(monaco, model, position);
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      const text = await suggest(place, abort.signal);
      listening.dispose();
      // The editor accepts a suggestion with line breaks only at the end of a line.
      const hasRest = place.after !== '' && !/^\r?\n/.test(place.after);
      const [first = ''] = text.split('\n', 1);
      const insertText = hasRest ? first : text;
      if (insertText === '') return NONE;
      return { items: [{ insertText, range: monaco.Range.fromPositions(position) }] };
    },
    disposeInlineCompletions: () => undefined,
  });
}

const NONE = { items: [] };

function placeOf(monaco: Monaco, model: MonacoEditor.ITextModel, position: Position): CaretPlace {
  const whole = model.getFullModelRange();
  return {
    before: model.getValueInRange(monaco.Range.fromPositions(whole.getStartPosition(), position)),
    after: model.getValueInRange(monaco.Range.fromPositions(position, whole.getEndPosition())),
  };
}
