import type { editor as MonacoEditor } from 'monaco-editor/editor';
import type { Monaco } from '../loadMonaco.ts';
import type { AroundOf } from './offerPython.ts';

/** After the last key: what is being typed is seldom right yet. */
const PAUSE_MS = 700;
const OWNER = 'python';

/** Marks what the language server finds wrong in the cell being edited, whenever its text rests. */
export function showPythonFaults(
  monaco: Monaco,
  editor: MonacoEditor.IStandaloneCodeEditor,
  aroundOf: AroundOf,
): { readonly look: () => void } {
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
    monaco.editor.setModelMarkers(model, OWNER, markers);
  };
  const look = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void ask(), PAUSE_MS);
  };
  editor.onDidChangeModelContent(look);
  return { look };
}
