/** Answers the editor's requests for completions in Python cells, from the language server and from the last run. */

import type { CompletionItem } from '../../../src-shared/wire/routes/language.ts';
import { type Access, accessAt } from '../document/pythonWord.ts';
import type { Segment } from '../document/virtualDocument.ts';
import { documentFor } from '../document/visibleCells.ts';
import { offersOf, type Part, partsOf } from './fromRun.ts';
import { isTypeUnknown, type ReadItems } from './fromServer.ts';
import {
  placeInDocument,
  type QuestionPosition,
  type QuestionServer,
  type ReadValue,
  storedOf,
} from './question.ts';

/** What is known from the last run at the position of the completion. */
interface RunSide {
  readonly access: Access | null;
  readonly parts: readonly Part[];
  readonly items: readonly CompletionItem[];
}

/** What the last run shows at a position of a cell. */
export async function runSideOf(
  { notebook, focus, position }: QuestionPosition,
  readValue: ReadValue,
): Promise<RunSide> {
  const access = accessAt(focus.source, position);
  const value = access === null ? null : storedOf(notebook, focus.cellId, access.name);
  if (access === null || value === null) return { access, parts: [], items: [] };
  const parts = partsOf(value, value.columns === null ? await readValue(value) : null);
  return { access, parts, items: offersOf(access, parts) };
}

/** Completions from the server; if the code does not show the columns of a table, those of the last run. */
export async function askCompletion(
  place: QuestionPosition,
  run: RunSide,
  {
    asked: languageServer,
    read,
  }: { readonly asked: QuestionServer; readonly read: (result: unknown) => ReadItems },
): Promise<readonly CompletionItem[]> {
  const listOf = async (segments: readonly Segment[]): Promise<readonly CompletionItem[]> => {
    const { document, at } = placeInDocument(segments, place);
    if (at === null) return [];
    languageServer.show(document);
    const context = { triggerKind: 1 };
    return read(await languageServer.request('textDocument/completion', { position: at, context })).items;
  };
  const segments = documentFor(place.notebook, place.focus);
  const items = await listOf(segments);
  const isTable = run.access?.kind === 'attribute' && run.parts.some(({ kind }) => kind === 'column');
  if (!isTable || !isTypeUnknown(items)) return items;
  const line = `${run.access.name}: __cellar_pandas.DataFrame = __cellar_pandas.DataFrame()`;
  return listOf([...segments.slice(0, -1), { cellId: null, text: line }, ...segments.slice(-1)]);
}

/** Items from the last run come first; each name is offered once. */
export function mergeItems(run: RunSide, items: readonly CompletionItem[]): CompletionItem[] {
  const names = new Set(run.items.map(({ label }) => label));
  return [...run.items, ...items.filter(({ label }) => !names.has(label))];
}
