/**
 * Sets up the Monaco editor with only the features a cell needs. It is a separate chunk, loaded after the first paint,
 * because reading a notebook never needs it.
 */

import * as monaco from 'monaco-editor/editor';
// The completion list; Monaco's entry point of that feature imports only part of it.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeAction/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/inlineCompletions/register';
import 'monaco-editor/features/lineSelection/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/parameterHints/register';
import 'monaco-editor/features/smartSelect/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import { longHex } from '../theme/longHex.ts';
import { highContrast, onThemeChange, scheme } from '../theme/theme.ts';
import { registerCellLanguages } from './languages/cellLanguages.ts';

globalThis.MonacoEnvironment = { getWorker: () => new EditorWorker() };

/** Defines the editor's colours from the page's CSS tokens; called whenever the theme changes. */
function defineTheme(): void {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => longHex(style.getPropertyValue(name).trim());
  const dark = scheme() === 'dark';
  const bare = (name: string): string => token(name).replace('#', '');
  monaco.editor.defineTheme('cellar', {
    base: highContrast() ? (dark ? 'hc-black' : 'hc-light') : dark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: bare('--ink') },
      { token: 'keyword', foreground: bare('--code-kw') },
      { token: 'string', foreground: bare('--code-str') },
      { token: 'string.escape', foreground: bare('--code-str') },
      { token: 'number', foreground: bare('--code-num') },
      { token: 'number.hex', foreground: bare('--code-num') },
      { token: 'comment', foreground: bare('--code-com') },
      { token: 'tag', foreground: bare('--code-fn') },
      { token: 'type', foreground: bare('--code-fn') },
      { token: 'function', foreground: bare('--code-fn') },
      // A value of the notebook inside another language: `:name`, `{{ name }}`.
      { token: 'variable', foreground: bare('--accent'), fontStyle: 'bold' },
      { token: 'operator', foreground: bare('--ink') },
      { token: 'identifier.quote', foreground: bare('--ink') },
      { token: 'delimiter', foreground: bare('--ink') },
      { token: 'identifier', foreground: bare('--ink') },
    ],
    colors: {
      'editor.background': '#00000000',
      'editor.foreground': token('--ink'),
      'editor.lineHighlightBackground': '#00000000',
      'editor.selectionBackground': token('--select'),
      'editor.inactiveSelectionBackground': token('--accent-soft'),
      'editorCursor.foreground': token('--accent'),
      'editorLineNumber.foreground': token('--ink-3'),
      'editorLineNumber.activeForeground': token('--ink-2'),
      'editorWidget.background': token('--card'),
      'editorWidget.border': token('--line'),
      'input.background': token('--panel'),
      'editorHoverWidget.background': token('--card'),
      'editorHoverWidget.foreground': token('--ink'),
      'editorHoverWidget.border': token('--line'),
      'editorHoverWidget.statusBarBackground': token('--panel'),
      'textLink.foreground': token('--accent'),
      'textLink.activeForeground': token('--accent'),
      'editorSuggestWidget.background': token('--card'),
      'editorSuggestWidget.border': token('--line'),
      'editorSuggestWidget.foreground': token('--ink'),
      'editorSuggestWidget.highlightForeground': token('--accent'),
      'editorSuggestWidget.focusHighlightForeground': token('--accent'),
      'editorSuggestWidget.selectedBackground': token('--accent-soft'),
      'editorSuggestWidget.selectedForeground': token('--ink'),
      'editorGhostText.foreground': token('--ink-3'),
      'editorError.foreground': token('--err'),
      'editorWarning.foreground': token('--stale'),
      'editorInfo.foreground': token('--ink-3'),
      focusBorder: '#00000000',
      // Monaco's high-contrast theme draws selected text in the background's colour: readable on its selection, not
      // ours.
      ...(highContrast()
        ? {
            'editor.selectionForeground': token('--ink'),
            contrastBorder: token('--line-strong'),
            contrastActiveBorder: token('--focus'),
          }
        : {}),
    },
  });
  monaco.editor.setTheme('cellar');
}

// If fetched when the first completion list opens, the browser would lay out all text of the page again during typing.
document.fonts.load('16px codicon').catch((error: unknown) => console.error('no icons in the editor', error));
registerCellLanguages(monaco);
defineTheme();
onThemeChange(defineTheme);

export { monaco };
