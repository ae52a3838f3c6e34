/** Offers the fixes of faults in the Monaco editor, at the marks of the faults. */

import type { editor as MonacoEditor } from 'monaco-editor/editor';
import type { EditorFault } from './editorFault.ts';
import type { Monaco } from './monaco.ts';

/** The current faults of a text; empty for a model that is not a cell's. */
type FaultsOf = (model: MonacoEditor.ITextModel) => readonly EditorFault[];

/** Offers the fix of a fault at its mark; the fix is applied as one edit of the text. */
export function offerQuickFixes(monaco: Monaco, faultsOf: FaultsOf): void {
  monaco.languages.registerCodeActionProvider('*', {
    provideCodeActions(model, _range, { markers }) {
      const actions = markers.flatMap((marker) => {
        const fault = faultsOf(model).find(
          ({ line, message }) => line === marker.startLineNumber && message === marker.message,
        );
        const fix = fault?.fix?.(model.getValue()) ?? null;
        if (fix === null) return [];
        const textEdit = { range: model.getFullModelRange(), text: fix.source };
        const edits = [{ resource: model.uri, versionId: model.getVersionId(), textEdit }];
        return [
          { title: fix.title, kind: 'quickfix', diagnostics: [marker], isPreferred: true, edit: { edits } },
        ];
      });
      return { actions, dispose: () => undefined };
    },
  });
}
