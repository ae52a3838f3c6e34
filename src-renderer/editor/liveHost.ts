/**
 * Owns the one editor instance of the window. It moves from cell to cell with its DOM node; each cell keeps its own
 * text model, and with it its undo history, while the window lives.
 */
import type { editor as MonacoEditor } from 'monaco-editor/editor';
import { codeFont, onThemeChange } from '../theme/theme.ts';
import type { Caret } from './LiveEditor.tsx';
import type { Monaco } from './loadMonaco.ts';
import { loadMonaco } from './loadMonaco.ts';

export interface Attachment {
  readonly cellId: string;
  readonly element: HTMLElement;
  readonly source: string;
  readonly language: string;
  readonly label: string;
  readonly caret: Caret | null;
  readonly onType: (text: string) => void;
  readonly onBlur: () => void;
}

export interface LiveHost {
  /** Shows a cell's text in its place and focuses it; the answer takes it away again. */
  readonly attach: (attachment: Attachment) => () => void;
  /** Puts another text into a cell's model, as an edit that can be undone. */
  readonly replaceText: (cellId: string, text: string) => void;
  /** The cursor as an offset into the shown text; null while no text is shown. */
  readonly caretOffset: () => number | null;
  /** Whether the shown text has a step of its own to undo or redo. */
  readonly can: (what: 'undo' | 'redo') => boolean;
}

/** Histories kept; the least recently edited cell's goes first. */
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

/** The editor, where it is there already. */
export function liveHostNow(): LiveHost | null {
  return ready;
}

function createHost(monaco: Monaco): LiveHost {
  const node = document.createElement('div');
  node.className = 'live-editor-node';
  const editor = monaco.editor.create(node, { ...OPTIONS, ...fontOptions() });
  onThemeChange(() => editor.updateOptions(fontOptions()));
  const models = new Map<string, MonacoEditor.ITextModel>();
  let current: Attachment | null = null;
  let replacing = false;

  const fitHeight = (): void => {
    if (current === null) return;
    const width = current.element.clientWidth;
    const height = editor.getContentHeight();
    current.element.style.height = `${height}px`;
    editor.layout({ width, height });
  };
  const resized = new ResizeObserver(fitHeight);
  // A longer line is a change of size too, at nearly every key; only a new line changes the place the editor needs.
  editor.onDidContentSizeChange(({ contentHeightChanged }) => {
    if (contentHeightChanged) fitHeight();
  });
  editor.onDidChangeModelContent(() => {
    if (!replacing && current !== null) current.onType(editor.getValue());
  });
  editor.onDidBlurEditorWidget(() => current?.onBlur());
  // These belong to the notebook: the page's own key table runs them.
  for (const keybinding of [
    monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter,
    monaco.KeyMod.Shift | monaco.KeyCode.Enter,
    monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.Enter,
  ]) {
    monaco.editor.addKeybindingRule({ keybinding, command: null });
  }

  const modelOf = (attachment: Attachment): MonacoEditor.ITextModel => {
    const kept = models.get(attachment.cellId);
    models.delete(attachment.cellId);
    const model = kept ?? monaco.editor.createModel(attachment.source, attachment.language);
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
      current = attachment;
      resized.observe(attachment.element);
      fitHeight();
      const { caret } = attachment;
      if (caret !== null) editor.setPosition({ lineNumber: caret.line, column: caret.column });
      editor.focus();
      return () => {
        resized.disconnect();
        current = null;
        node.remove();
      };
    },
    replaceText: (cellId, text) => {
      const model = models.get(cellId);
      if (model === undefined || model.getValue() === text) return;
      replacing = true;
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
      replacing = false;
    },
    caretOffset: () => {
      const [model, position] = [editor.getModel(), editor.getPosition()];
      return current === null || model === null || position === null ? null : model.getOffsetAt(position);
    },
    can: (what) => {
      const model = current === null ? null : editor.getModel();
      return model !== null && (what === 'undo' ? model.canUndo() : model.canRedo());
    },
  };
}

/** The person's own size of code: static text takes the same from the page's tokens. */
function fontOptions(): MonacoEditor.IEditorOptions {
  const { size, lineHeight, ligatures } = codeFont();
  return { fontSize: size, lineHeight, fontLigatures: ligatures };
}

const OPTIONS: MonacoEditor.IStandaloneEditorConstructionOptions = {
  theme: 'cellar',
  fontFamily: '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace',
  padding: { top: 6, bottom: 10 },
  lineNumbers: 'off',
  glyphMargin: false,
  folding: false,
  lineDecorationsWidth: 14,
  lineNumbersMinChars: 0,
  minimap: { enabled: false },
  overviewRulerLanes: 0,
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  renderLineHighlight: 'none',
  // A blinking cursor repaints the page twice a second for as long as it is open.
  cursorBlinking: 'solid',
  guides: { indentation: false },
  scrollBeyondLastLine: false,
  scrollbar: {
    vertical: 'hidden',
    handleMouseWheel: true,
    alwaysConsumeMouseWheel: false,
    horizontalScrollbarSize: 8,
  },
  wordWrap: 'off',
  wordBasedSuggestions: 'off',
  quickSuggestions: false,
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
};
