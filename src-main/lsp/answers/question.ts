/** Types of the editor's questions about Python code, and helpers for answering them with the language server. */

import type { LanguageAnswer } from '../../../src-shared/wire/routes/language.ts';
import type { NotebookText, StoredValue } from '../document/notebookText.ts';
import { type Position, type Segment, VirtualDocument } from '../document/virtualDocument.ts';
import type { Focus } from '../document/visibleCells.ts';

/** The running server, as the handler of a question sees it. */
export interface QuestionServer {
  readonly uri: string;
  readonly show: (document: VirtualDocument) => void;
  /** Sends a request about the shown document. */
  readonly request: (method: string, params: object) => Promise<unknown>;
}

/** The answer, apart from whether there is a server; `words` only if they are about the question. */
export type AnswerFields = Partial<Omit<LanguageAnswer, 'state'>>;

/** A question about a position in a cell. */
export interface QuestionPosition {
  readonly notebook: NotebookText;
  readonly focus: Focus;
  readonly position: Position;
}

export type ReadValue = (value: StoredValue) => Promise<string | null>;

/** The document of some segments, and the position in it. */
export function placeInDocument(
  segments: readonly Segment[],
  { focus, position }: Omit<QuestionPosition, 'notebook'>,
) {
  const document = new VirtualDocument(segments);
  return { document, at: document.toDocument(focus.cellId, position) };
}

/** The value that the last run stored for a name that a cell reads or defines; null if none is stored. */
export function storedOf(notebook: NotebookText, cellId: string, name: string): StoredValue | null {
  const matches = notebook.values.filter((value) => value.name === name);
  const giver = notebook.wiring.get(cellId)?.get(name) ?? cellId;
  return matches.find((value) => value.cellId === giver) ?? matches.at(-1) ?? null;
}
