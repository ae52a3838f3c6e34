/** Answers the editor's requests for hover texts and signatures in Python cells. */

import { lineOf, nameAt } from '../document/pythonWord.ts';
import { documentFor } from '../document/visibleCells.ts';
import { previewOf } from './fromRun.ts';
import { readHover, readSignatures } from './fromServer.ts';
import {
  type AnswerFields,
  placeInDocument,
  type QuestionPosition,
  type QuestionServer,
  type ReadValue,
  storedOf,
} from './question.ts';

/** The stored value from the last run for the name at a position. */
export async function hoverValue(
  { notebook, focus, position }: QuestionPosition,
  readValue: ReadValue,
): Promise<AnswerFields> {
  const word = nameAt(focus.source, position);
  if (word === null) return { value: null, span: null };
  const { line, character } = word.span.start;
  const isAttribute = lineOf(focus.source, line)[character - 1] === '.';
  const stored = isAttribute ? null : storedOf(notebook, focus.cellId, word.name);
  if (stored === null) return { value: null, span: word.span };
  const json = stored.columns === null ? await readValue(stored) : null;
  return { value: previewOf(stored, json), span: word.span };
}

export async function askHover(
  place: QuestionPosition,
  languageServer: QuestionServer,
): Promise<AnswerFields> {
  const { document, at } = placeInDocument(documentFor(place.notebook, place.focus), place);
  if (at === null) return {};
  languageServer.show(document);
  const hover = readHover(await languageServer.request('textDocument/hover', { position: at }));
  if (hover === null) return { markdown: null };
  const there = hover.span === null ? null : document.spanToCell(hover.span);
  return { markdown: hover.markdown, ...(there === null ? {} : { span: there.span }) };
}

export async function askSignature(
  place: QuestionPosition,
  languageServer: QuestionServer,
): Promise<AnswerFields> {
  const { document, at } = placeInDocument(documentFor(place.notebook, place.focus), place);
  if (at === null) return {};
  languageServer.show(document);
  return readSignatures(await languageServer.request('textDocument/signatureHelp', { position: at }));
}
