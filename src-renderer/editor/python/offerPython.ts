/**
 * Registers completion, hover and signature help of Python cells with the Monaco editor; the answers come from the
 * language server and the last run.
 */

import type { languages, editor as MonacoEditor, Position } from 'monaco-editor/editor';
import type { CompletionItem, LanguageAnswer, TextSpan } from '../../../src-shared/wire/routes/language.ts';
import { LANGUAGE_WORDS } from '../../words/language.ts';
import type { Monaco } from '../monaco.ts';
import { requestsCompletionsAt } from './completionTrigger.ts';
import type { PythonContext } from './pythonContext.ts';

/** The Python cell that is being edited; null for a cell of another language. */
export type PythonContextOf = (model: MonacoEditor.ITextModel) => PythonContext | null;

interface Listed extends languages.CompletionItem {
  readonly item?: string | null;
}

/** Offers completions, hovers and signatures from the language server and the last run. */
export function offerPython(
  monaco: Monaco,
  editor: MonacoEditor.IStandaloneCodeEditor,
  aroundOf: PythonContextOf,
): void {
  const kinds = kindsOf(monaco);
  const rangeOf = (span: TextSpan) =>
    new monaco.Range(
      span.start.line + 1,
      span.start.character + 1,
      span.end.line + 1,
      span.end.character + 1,
    );
  monaco.languages.registerCompletionItemProvider('python', {
    triggerCharacters: ['.', '[', '"', "'"],
    async provideCompletionItems(model, position, _context, token) {
      const around = aroundOf(model);
      const before = model.getLineContent(position.lineNumber).slice(0, position.column - 1);
      if (around === null || !requestsCompletionsAt(before)) return { suggestions: [] };
      const abort = new AbortController();
      const listening = token.onCancellationRequested(() => abort.abort());
      const asking = around.ask({ ask: 'complete', ...placeOf(model, position) }, abort.signal);
      const answer = await within(asking, PATIENCE_MS);
      listening.dispose();
      if (answer === 'late') {
        // Names of other cells do not wait for the server; the list opens again once the server has answered.
        void showAgainAfter(asking, { editor, model });
        return { suggestions: [], incomplete: true };
      }
      const word = model.getWordUntilPosition(position);
      const range = new monaco.Range(
        position.lineNumber,
        word.startColumn,
        position.lineNumber,
        position.column,
      );
      const offeredNames = around.offered();
      const items = (answer?.items ?? []).filter(
        ({ label, kind }) => kind === 'column' || kind === 'key' || !offeredNames.has(label),
      );
      return {
        suggestions: items.map((item, at): Listed => {
          const { label, detail, insert, replaces, from_run, kind } = item;
          return {
            // The leading blanks are part of the detail because Monaco draws it directly after the label.
            label: { label, detail: from_run ? `  ${LANGUAGE_WORDS.fromRun}` : '' },
            kind: kinds[kind],
            ...(detail === '' ? {} : { detail }),
            filterText: insert.startsWith('"') ? insert : label,
            // Items of the last run first, then the server's order. Names of other cells sort above both.
            sortText: `${from_run ? '1' : sortGroup(item)}${String(at).padStart(6, '0')}`,
            insertText: insert,
            range: replaces === null ? range : rangeOf(replaces),
            item: item.item,
          };
        }),
        incomplete: answer?.state === 'starting',
      };
    },
    async resolveCompletionItem(listed: Listed, token) {
      const { item } = listed;
      const around = current();
      if (item === undefined || item === null || around === null) return listed;
      const answer = await request(token, (signal) => around.ask({ ask: 'document', item }, signal));
      const value = answer?.markdown ?? null;
      return value === null ? listed : { ...listed, documentation: { value } };
    },
  });
  monaco.languages.registerHoverProvider('python', {
    async provideHover(model, position, token) {
      const around = aroundOf(model);
      if (around === null) return null;
      const answer = await request(token, (signal) =>
        around.ask({ ask: 'hover', ...placeOf(model, position) }, signal),
      );
      const texts = [answer?.value ?? '', answer?.markdown ?? ''].filter((text) => text !== '');
      if (texts.length === 0) return null;
      const span = answer?.span ?? null;
      return {
        contents: texts.map((value) => ({ value })),
        ...(span === null ? {} : { range: rangeOf(span) }),
      };
    },
  });
  monaco.languages.registerSignatureHelpProvider('python', {
    signatureHelpTriggerCharacters: ['(', ','],
    signatureHelpRetriggerCharacters: [')'],
    async provideSignatureHelp(model, position, token) {
      const around = aroundOf(model);
      if (around === null) return null;
      const answer = await request(token, (signal) =>
        around.ask({ ask: 'signature', ...placeOf(model, position) }, signal),
      );
      const signatures = answer?.signatures ?? [];
      if (signatures.length === 0) return null;
      const active = answer?.active_signature ?? 0;
      return {
        value: {
          activeSignature: active,
          activeParameter: signatures[active]?.active ?? 0,
          signatures: signatures.map(({ label, documentation, parameters }) => ({
            label,
            documentation: { value: documentation },
            parameters: parameters.map(({ from, to, documentation: value }) => ({
              label: [from, to] as [number, number],
              documentation: { value },
            })),
          })),
        },
        dispose: () => undefined,
      };
    },
  });
  const current = (): PythonContext | null => {
    for (const model of monaco.editor.getModels()) {
      const around = aroundOf(model);
      if (around !== null) return around;
    }
    return null;
  };
}

/** How long the list waits for the server before it opens without it; a starting server takes a second or two. */
const PATIENCE_MS = 500;

function within<T>(work: Promise<T>, limitMs: number): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('late'), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The method used of Monaco's suggest controller; its command would do nothing while a list is open. */
interface SuggestController extends MonacoEditor.IEditorContribution {
  triggerSuggest(onlyFrom: undefined, asIfTyped: boolean): void;
}

/** Reopens the list when a late answer arrives, unless the text, the cell or the focus has changed. */
async function showAgainAfter(
  asking: Promise<LanguageAnswer | null>,
  {
    editor,
    model,
  }: { readonly editor: MonacoEditor.IStandaloneCodeEditor; readonly model: MonacoEditor.ITextModel },
): Promise<void> {
  const version = model.getVersionId();
  const answer = await asking;
  if (model.isDisposed() || editor.getModel() !== model || model.getVersionId() !== version) return;
  if ((answer?.items ?? []).length === 0 || !editor.hasTextFocus()) return;
  editor
    .getContribution<SuggestController>('editor.contrib.suggestController')
    ?.triggerSuggest(undefined, true);
}

/** A cell's text and a place in it, in the form of language questions: line and character from 0. */
export function placeOf(model: MonacoEditor.ITextModel, { lineNumber, column }: Position) {
  return { source: model.getValue(), position: { line: lineNumber - 1, character: column - 1 } };
}

/** Makes a request that is aborted when the editor no longer wants the answer. */
async function request<T>(
  token: { readonly onCancellationRequested: (listener: () => void) => { dispose(): void } },
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const listening = token.onCancellationRequested(() => abort.abort());
  try {
    return await ask(abort.signal);
  } finally {
    listening.dispose();
  }
}

/** The sort group of an item. Names that begin with `_` are a library's private names, so they come last. */
function sortGroup({ label, kind }: CompletionItem): string {
  if (kind === 'argument') return '2';
  return label.startsWith('_') ? '4' : '3';
}

function kindsOf(monaco: Monaco): Readonly<Record<CompletionItem['kind'], languages.CompletionItemKind>> {
  const { CompletionItemKind: Kind } = monaco.languages;
  return {
    column: Kind.Field,
    key: Kind.Field,
    variable: Kind.Variable,
    field: Kind.Field,
    property: Kind.Property,
    method: Kind.Method,
    function: Kind.Function,
    class: Kind.Class,
    module: Kind.Module,
    argument: Kind.Property,
    constant: Kind.Constant,
    keyword: Kind.Keyword,
    text: Kind.Text,
  };
}
