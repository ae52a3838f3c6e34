/** Shows the language server's diagnostics in the Python cell that is being edited, and offers their fixes. */

import type { editor as MonacoEditor } from 'monaco-editor/editor';
import type { LanguageFault } from '../../../src-shared/wire/routes/language.ts';
import type { Monaco } from '../monaco.ts';
import type { PythonContextOf } from './offerPython.ts';

/** Delay after the last key press, in ms: code that is still being typed is seldom valid. */
const PAUSE_MS = 700;
/** The time, in ms, after which the request to a server that was still starting is repeated. */
const AGAIN_MS = 2_000;
const OWNER = 'python';

/** Shows the language server's diagnostics in the cell being edited, whenever typing pauses. */
export function showPythonFaults(
  monaco: Monaco,
  editor: MonacoEditor.IStandaloneCodeEditor,
  aroundOf: PythonContextOf,
): { readonly look: () => void } {
  const fixes = new WeakMap<MonacoEditor.ITextModel, readonly LanguageFault[]>();
  offerFixes(monaco, (model) => fixes.get(model) ?? []);
  const { MarkerSeverity } = monaco;
  const severities = { error: MarkerSeverity.Error, warn: MarkerSeverity.Warning, info: MarkerSeverity.Info };
  let timer: ReturnType<typeof setTimeout> | null = null;
  let asking: AbortController | null = null;
  const ask = async (): Promise<void> => {
    const model = editor.getModel();
    const around = model === null ? null : aroundOf(model);
    if (model === null || around === null) return;
    asking?.abort();
    asking = new AbortController();
    const version = model.getVersionId();
    const answer = await around.ask({ ask: 'diagnostics', source: model.getValue() }, asking.signal);
    if (answer === null || model.isDisposed() || model.getVersionId() !== version) return;
    const markers = (answer.faults ?? []).map(({ span, severity, message, code }) => ({
      startLineNumber: span.start.line + 1,
      startColumn: span.start.character + 1,
      endLineNumber: span.end.line + 1,
      endColumn: span.end.character + 1,
      severity: severities[severity],
      message,
      code,
    }));
    fixes.set(model, answer.faults ?? []);
    monaco.editor.setModelMarkers(model, OWNER, markers);
    if (answer.state === 'starting') askIn(AGAIN_MS);
  };
  const askIn = (delayMs: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void ask(), delayMs);
  };
  const look = (): void => askIn(PAUSE_MS);
  editor.onDidChangeModelContent(look);
  return { look };
}

/** Offers the fix of a fault in the editor, at its mark. */
function offerFixes(
  monaco: Monaco,
  faultsOf: (model: MonacoEditor.ITextModel) => readonly LanguageFault[],
): void {
  monaco.languages.registerCodeActionProvider('python', {
    provideCodeActions(model, _range, { markers }) {
      const actions = markers.flatMap((marker) => {
        const fault = faultsOf(model).find(
          ({ span, message }) => span.start.line + 1 === marker.startLineNumber && message === marker.message,
        );
        const fix = fault?.fix ?? null;
        if (fix === null) return [];
        const edits = fix.edits.map(({ span, text }) => ({
          resource: model.uri,
          versionId: model.getVersionId(),
          textEdit: {
            range: new monaco.Range(
              span.start.line + 1,
              span.start.character + 1,
              span.end.line + 1,
              span.end.character + 1,
            ),
            text,
          },
        }));
        return [{ title: fix.title, kind: 'quickfix', diagnostics: [marker], edit: { edits } }];
      });
      return { actions, dispose: () => undefined };
    },
  });
}
