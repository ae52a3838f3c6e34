import type { editor as MonacoEditor } from 'monaco-editor/editor';
import { commentHead } from './languages/commentHead.ts';
import type { Monaco } from './monaco.ts';

/**
 * Adds the comment key (Mod+/) for prompt cells, where comments are allowed only before the text; other languages use
 * Monaco's own command.
 */
export function addPromptCommentKey(monaco: Monaco, editor: MonacoEditor.IStandaloneCodeEditor): void {
  editor.addAction({
    id: 'cellar.commentPrompt',
    label: 'Toggle line comment',
    precondition: "editorLangId == 'cellar-prompt'",
    keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Slash],
    run() {
      const [model, selection] = [editor.getModel(), editor.getSelection()];
      if (model === null || selection === null) return;
      const { startLineNumber: first, endLineNumber: last } = selection;
      const lines = commentHead(model.getLinesContent(), { first, last });
      if (lines === null) return;
      const range = new monaco.Range(first, 1, last, model.getLineMaxColumn(last));
      const text = lines.slice(first - 1, last).join('\n');
      editor.pushUndoStop();
      editor.executeEdits('cellar.commentPrompt', [{ range, text }]);
      editor.pushUndoStop();
    },
  });
}
