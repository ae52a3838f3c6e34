/**
 * Owns the one editor instance of the window. It moves from cell to cell with its DOM node; each cell keeps its own
 * text model, and with it its undo history, while the window is open.
 */

import type { editor as MonacoEditor } from 'monaco-editor/editor';
import { withoutPrompts } from '../../src-shared/notebook/promptText.ts';
import type { KnownName } from '../state/knownNames.ts';
import { codeFont, onThemeChange } from '../theme/theme.ts';
import type { Selection } from './caret.ts';
import { changedSpan } from './changedSpan.ts';
import { addPromptCommentKey } from './commentKey.ts';
import { addTabKey, offerNames } from './completion.ts';
import type { EditorFault } from './editorFault.ts';
import { insertLongText } from './insertLongText.ts';
import { loadMonaco } from './loadMonaco.ts';
import type { Monaco } from './monaco.ts';
import { offerPython } from './python/offerPython.ts';
import { addPythonActions } from './python/pythonActions.ts';
import type { PythonContext } from './python/pythonContext.ts';
import { showPythonFaults } from './python/showPythonFaults.ts';
import { offerQuickFixes } from './quickFixes.ts';
import { scrollToShow } from './scrollToShow.ts';
import { offerSql, type SqlContext } from './sql/offerSql.ts';
import { offerSuggestions, type Suggest } from './suggestion/offerSuggestions.ts';
import { followVimPreference } from './vimKeys.ts';

interface Attachment {
  readonly cellId: string;
  readonly element: HTMLElement;
  readonly source: string;
  /** Monaco's id of the language, from `editorLanguage`. */
  readonly language: string;
  /** Names of other cells, offered as completions. */
  readonly names: () => readonly KnownName[];
  /** The database that a SQL cell queries; null for cells of other languages. */
  readonly sql: () => SqlContext | null;
  /** Language services for the text of a Python cell; null for cells of other languages. */
  readonly python: () => PythonContext | null;
  /** Requests a text to suggest at the caret; null where nothing is suggested. */
  readonly suggest: Suggest | null;
  readonly label: string;
  readonly selection: Selection | null;
  readonly focused: boolean;
  readonly onType: (text: string) => void;
  readonly onBlur: () => void;
}

export interface LiveHost {
  /** Attaches the editor to a cell's place, with the focus if requested. Returns a function that detaches it. */
  readonly attach: (attachment: Attachment) => () => void;
  /** Puts another text into a cell's model, as an edit that can be undone. */
  readonly replaceText: (cellId: string, text: string) => void;
  /** Whether the editor still has a model with this text of the cell, and with it the undo steps. */
  readonly hasText: (cellId: string, text: string) => boolean;
  /** Marks faults in a cell's text; hovering shows their message. */
  readonly showFaults: (cellId: string, faults: readonly EditorFault[]) => void;
  /** Focuses the shown text again, for example after a button beside it was pressed. */
  readonly focus: () => void;
  /** The caret as an offset into the shown text; null while no text is shown. */
  readonly caretOffset: () => number | null;
  /** The selected text; empty if there is no selection. */
  readonly chosenText: () => string;
  /** Whether the shown text has its own undo or redo steps. */
  readonly can: (what: 'undo' | 'redo') => boolean;
}

/** Off, as in static code: with colours, each key press would pair all brackets of the text again. */
const NO_BRACKET_COLOURS = { enabled: false, independentColorPoolPerBracketType: false };
/** In CSS px. The editor draws every line it has room for, so a text of more than about 600 lines scrolls inside it. */
const MAX_HEIGHT = 12_000;
/** Spare height below the text, about ten lines, in CSS px. */
const SPARE_HEIGHT = 200;
/** If the caret is not below this line, the text up to the caret is tokenized before the next key. */
const READ_AT_ONCE = 2000;
/** The most text models kept with their undo history; the least recently edited cell's is dropped first. */
const MAX_MODELS = 50;
let host: Promise<LiveHost> | null = null;
let ready: LiveHost | null = null;

export function liveHost(): Promise<LiveHost> {
  host ??= loadMonaco().then(
    (monaco) => {
      ready = createHost(monaco);
      return ready;
    },
    (error: unknown) => {
      host = null;
      throw error;
    },
  );
  return host;
}

/** The editor, if it is already loaded. */
export function loadedLiveHost(): LiveHost | null {
  return ready;
}

function createHost(monaco: Monaco): LiveHost {
  const node = document.createElement('div');
  node.className = 'live-editor-node';
  const editor = monaco.editor.create(node, { ...OPTIONS, ...fontOptions() });
  onThemeChange(() => editor.updateOptions(fontOptions()));
  const vim = followVimPreference(editor, node);
  let lastCell: string | null = null;
  const models = new Map<string, MonacoEditor.ITextModel>();
  const faultsByModel = new WeakMap<MonacoEditor.ITextModel, readonly EditorFault[]>();
  offerQuickFixes(monaco, (model) => faultsByModel.get(model) ?? []);
  offerNames(monaco, (model) => (model === editor.getModel() ? (current?.names() ?? []) : []));
  offerSql(monaco, editor, () => current?.sql() ?? null);
  const python = (model: MonacoEditor.ITextModel) =>
    model === editor.getModel() ? (current?.python() ?? null) : null;
  offerPython(monaco, editor, python);
  addPythonActions(monaco, editor, python);
  const pythonFaults = showPythonFaults(monaco, editor, python);
  offerSuggestions(monaco, editor, (model) =>
    model === editor.getModel() ? (current?.suggest ?? null) : null,
  );
  addTabKey(monaco, editor);
  insertLongText(monaco);
  addPromptCommentKey(monaco, editor);
  const gutters = new WeakMap<MonacoEditor.ITextModel, string[]>();
  let current: Attachment | null = null;
  let replacing = false;
  let scrolls = false;
  /**
   * Of the editor's container, in CSS px. Stored, because reading it from the page at each new line forces a layout.
   */
  let width = 0;
  let laidOut = { width: 0, height: 0 };
  /** Whether an animation frame is scheduled that fits the container to its text and scrolls to the caret. */
  let isFrameDue = false;
  /** The margin to keep visible around the caret after that frame, in CSS px; null if the page must not scroll. */
  let follows: number | null = null;

  /** Leaves spare height below the text, so that not every new line needs a new layout. */
  const layOut = (): number => {
    const contentHeight = editor.getContentHeight();
    const height = Math.min(contentHeight, MAX_HEIGHT);
    if (contentHeight > height !== scrolls) {
      scrolls = contentHeight > height;
      editor.updateOptions({ scrollbar: { ...SCROLLBAR, vertical: scrolls ? 'auto' : 'hidden' } });
    }
    // A horizontal scroll bar is drawn at the editor's lower edge, so there must be no spare height then.
    const hasBar = scrolls || editor.getScrollWidth() > editor.getLayoutInfo().contentWidth;
    const spare = hasBar ? 0 : SPARE_HEIGHT;
    const excess = laidOut.height - height;
    if (laidOut.width === width && excess >= 0 && excess <= 2 * spare) return height;
    laidOut = { width, height: height + spare };
    // Postponed, so that it is drawn once, in the next frame, and not also now.
    editor.layout(laidOut, true);
    return height;
  };
  const fitHeight = (): void => {
    if (current !== null) current.element.style.height = `${layOut()}px`;
  };
  /** How far the page must scroll to show the caret; null if nothing scrolls or there is no caret. */
  const caretOutOfSight = (margin: number): { readonly box: Element; readonly by: number } | null => {
    const [box, position] = [current?.element.closest('[data-scroll-root]'), editor.getPosition()];
    if (current === null || position === null || box === null || box === undefined) return null;
    const top =
      current.element.getBoundingClientRect().top +
      editor.getTopForPosition(position.lineNumber, position.column) -
      editor.getScrollTop();
    const caret = { top, bottom: top + codeFont().lineHeight };
    return { box, by: scrollToShow(box.getBoundingClientRect(), caret, margin) };
  };
  const inNextFrame = (): void => {
    if (isFrameDue) return;
    isFrameDue = true;
    requestAnimationFrame(() => {
      isFrameDue = false;
      fitHeight();
      const hidden = follows === null ? null : caretOutOfSight(follows);
      follows = null;
      if (hidden !== null && hidden.by !== 0) hidden.box.scrollBy({ top: hidden.by, behavior: 'instant' });
    });
  };
  /** Runs between a key press and its frame, while the page's last layout is still valid, so it forces no new one. */
  const followCaret = (margin: number): void => {
    // Until the editor has its new height, a text that grew is scrolled within the old height.
    layOut();
    if ((caretOutOfSight(margin)?.by ?? 0) === 0) return;
    follows = margin;
    inNextFrame();
  };
  const resized = new ResizeObserver((entries) => {
    const now = Math.round(entries.at(-1)?.contentRect.width ?? width);
    if (now === width) return;
    width = now;
    fitHeight();
  });
  // Nearly every key changes the content size, because the line gets longer; only a new line changes the height.
  editor.onDidContentSizeChange(({ contentHeightChanged }) => {
    if (!contentHeightChanged || current === null) return;
    layOut();
    // Deferred: reading the layout between a key press and its frame would force a layout of all cells below.
    inNextFrame();
  });
  // Monaco tokenizes a text when it is idle, and closes no bracket in a line that is not tokenized yet.
  const readToCaret = (): void => {
    const [model, line] = [editor.getModel(), editor.getPosition()?.lineNumber ?? 0];
    if (model !== null && line > 0 && line <= READ_AT_ONCE) monaco.editor.colorizeModelLine(model, line);
  };
  const { Paste, Undo, Redo } = monaco.editor.CursorChangeReason;
  editor.onDidChangeCursorPosition(({ source, reason }) => {
    readToCaret();
    // The browser scrolls the page for a text field; Monaco scrolls only itself, which shows its whole text already.
    if (source === 'mouse') followCaret(0);
    else if (source === 'keyboard' || reason === Paste || reason === Undo || reason === Redo) {
      followCaret(codeFont().lineHeight);
    }
  });
  editor.onDidChangeModelContent(() => {
    if (!replacing && current !== null) current.onType(editor.getValue());
  });
  editor.onDidPaste(({ range }) => {
    const model = editor.getModel();
    if (model === null || model.getLanguageId() !== 'python') return;
    const code = withoutPrompts(model.getValueInRange(range));
    if (code === null) return;
    // A separate undo step: undo restores the text as it was pasted.
    editor.pushUndoStop();
    editor.executeEdits('prompts', [{ range, text: code }]);
    editor.pushUndoStop();
  });
  editor.onDidBlurEditorWidget(() => current?.onBlur());
  // The notebook's command table handles these keys.
  for (const keybinding of [
    monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter,
    monaco.KeyMod.Shift | monaco.KeyCode.Enter,
    monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.Enter,
    monaco.KeyMod.CtrlCmd | monaco.KeyCode.Period,
  ]) {
    monaco.editor.addKeybindingRule({ keybinding, command: null });
  }

  const modelOf = (attachment: Attachment): MonacoEditor.ITextModel => {
    const existing = models.get(attachment.cellId);
    models.delete(attachment.cellId);
    const model = existing ?? monaco.editor.createModel(attachment.source, attachment.language);
    if (existing === undefined) {
      // Set on the model, because the editor option of that name has no effect on it; and set again after each change
      // of options, because the first change of any other editor option resets it to its default.
      const disableBracketColours = (): void =>
        model.updateOptions({ bracketColorizationOptions: NO_BRACKET_COLOURS });
      model.onDidChangeOptions(disableBracketColours);
      disableBracketColours();
    }
    models.set(attachment.cellId, model);
    for (const [id, old] of models) {
      if (models.size <= MAX_MODELS) break;
      old.dispose();
      models.delete(id);
    }
    return model;
  };

  return {
    attach: (attachment) => {
      current = null;
      const model = modelOf(attachment);
      monaco.editor.setModelLanguage(model, attachment.language);
      editor.setModel(model);
      editor.updateOptions({ ariaLabel: attachment.label });
      attachment.element.append(node);
      replacing = true;
      if (model.getValue() !== attachment.source) model.setValue(attachment.source);
      replacing = false;
      if (attachment.cellId !== lastCell) vim.restart();
      lastCell = attachment.cellId;
      current = attachment;
      resized.observe(attachment.element);
      width = attachment.element.clientWidth;
      fitHeight();
      if (attachment.selection !== null) editor.setSelection(rangeOf(attachment.selection));
      readToCaret();
      pythonFaults.look();
      if (attachment.focused) {
        editor.focus();
        followCaret(0);
      }
      return () => {
        resized.disconnect();
        current = null;
        node.remove();
      };
    },
    replaceText: (cellId, text) => {
      const model = models.get(cellId);
      if (model === undefined || model.getValue() === text) return;
      // Replaces only the span that differs, so that the caret stays in place.
      const span = changedSpan(model.getValue(), text);
      const [start, end] = [model.getPositionAt(span.from), model.getPositionAt(span.to)];
      const range = monaco.Range.fromPositions(start, end);
      replacing = true;
      model.pushEditOperations([], [{ range, text: span.text }], () => null);
      replacing = false;
    },
    hasText: (cellId, text) => models.get(cellId)?.getValue() === text,
    focus: () => {
      if (current !== null) editor.focus();
    },
    showFaults: (cellId, faults) => {
      const model = models.get(cellId);
      if (model === undefined) return;
      faultsByModel.set(model, faults);
      const { MarkerSeverity } = monaco;
      const severities = {
        error: MarkerSeverity.Error,
        warn: MarkerSeverity.Warning,
        info: MarkerSeverity.Info,
      };
      const marked = faults
        .filter(({ line }) => line <= model.getLineCount())
        .map(({ line, severity, message, span }) => {
          const { start, end } = span(model.getLineContent(line));
          const range = { startLineNumber: line, startColumn: start, endLineNumber: line, endColumn: end };
          return { range, severity, message };
        });
      monaco.editor.setModelMarkers(
        model,
        'cellar',
        marked.map(({ range, severity, message }) => ({ ...range, severity: severities[severity], message })),
      );
      const gutter = marked.map(({ range, severity }) => ({
        range,
        options: { linesDecorationsClassName: `fault-gutter fault-gutter-${severity}` },
      }));
      gutters.set(model, model.deltaDecorations(gutters.get(model) ?? [], gutter));
    },
    caretOffset: () => {
      const [model, position] = [editor.getModel(), editor.getPosition()];
      return current === null || model === null || position === null ? null : model.getOffsetAt(position);
    },
    chosenText: () => {
      const [model, range] = [editor.getModel(), editor.getSelection()];
      return current === null || model === null || range === null ? '' : model.getValueInRange(range);
    },
    can: (what) => {
      const model = current === null ? null : editor.getModel();
      return model !== null && (what === 'undo' ? model.canUndo() : model.canRedo());
    },
  };
}

function rangeOf({ start, end }: Selection) {
  return {
    startLineNumber: start.line,
    startColumn: start.column,
    endLineNumber: end.line,
    endColumn: end.column,
  };
}

/** The code font the person chose; static text gets the same from the page's CSS tokens. */
function fontOptions(): MonacoEditor.IEditorOptions {
  const { size, lineHeight, ligatures, lines } = codeFont();
  // As wide as `--code-left`, so that nothing moves when editing begins. Folding adds 16 px.
  const numbers: MonacoEditor.IEditorOptions = lines
    ? { lineNumbers: 'on', lineNumbersMinChars: 4, lineDecorationsWidth: 10, folding: true }
    : { lineNumbers: 'off', lineNumbersMinChars: 0, lineDecorationsWidth: 14, folding: false };
  return { fontSize: size, lineHeight, fontLigatures: ligatures, ...numbers };
}

const SCROLLBAR: MonacoEditor.IEditorScrollbarOptions = {
  vertical: 'hidden',
  handleMouseWheel: true,
  alwaysConsumeMouseWheel: false,
  horizontalScrollbarSize: 8,
  verticalScrollbarSize: 8,
};

const OPTIONS: MonacoEditor.IStandaloneEditorConstructionOptions = {
  theme: 'cellar',
  fontFamily: '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace',
  padding: { top: 6, bottom: 10 },
  glyphMargin: false,
  minimap: { enabled: false },
  // If text and margin had compositor layers, everything drawn above them on the page would need layers too.
  disableLayerHinting: true,
  overviewRulerLanes: 0,
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  renderLineHighlight: 'none',
  // A blinking cursor repaints the page twice a second for as long as it is open.
  cursorBlinking: 'solid',
  guides: { indentation: false },
  scrollBeyondLastLine: false,
  scrollbar: SCROLLBAR,
  wordWrap: 'off',
  wordBasedSuggestions: 'off',
  quickSuggestions: { other: true, comments: false, strings: false },
  // Drawing a list between two keys costs more than the keys do, so it opens only when typing pauses.
  quickSuggestionsDelay: 120,
  // Offered while typing, accepted only after selecting an entry or by Tab: Enter inserts a line break.
  suggest: { selectionMode: 'whenTriggerCharacter', showWords: false, showStatusBar: false },
  acceptSuggestionOnCommitCharacter: false,
  contextmenu: false,
  occurrencesHighlight: 'off',
  bracketPairColorization: { enabled: false },
  fixedOverflowWidgets: true,
  tabSize: 4,
  insertSpaces: true,
  detectIndentation: true,
  renderWhitespace: 'none',
  unicodeHighlight: { ambiguousCharacters: false },
  stickyScroll: { enabled: false },
  links: false,
  hover: { delay: 300 },
};
