/** Answers the editor's requests for the definition and the uses of a name, across the cells of a notebook. */

import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LanguagePlace } from '../../../src-shared/wire/routes/language.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { nameAt } from '../document/pythonWord.ts';
import type { VirtualDocument } from '../document/virtualDocument.ts';
import { cellsSharing, documentFor, linkedDocument } from '../document/visibleCells.ts';
import { excerptOf } from './excerpt.ts';
import { type ReadPlace, readPlaces } from './fromServer.ts';
import {
  type AnswerFields,
  placeInDocument,
  type QuestionPosition,
  type QuestionServer,
} from './question.ts';

/** The definition of a name: in a cell, or in a file with an excerpt. @param dir the notebook's folder */
export async function askDefinition(
  place: QuestionPosition,
  languageServer: QuestionServer,
  dir: NotebookFolder,
): Promise<AnswerFields> {
  const { document, at } = placeInDocument(documentFor(place.notebook, place.focus), place);
  if (at === null) return {};
  languageServer.show(document);
  const places = readPlaces(await languageServer.request('textDocument/definition', { position: at }));
  return { places: await shownPlaces(places, { uri: languageServer.uri, document, dir }) };
}

/** The uses of a name in all cells in which it is the same variable. */
export async function askReferences(
  place: QuestionPosition,
  languageServer: QuestionServer,
  dir: NotebookFolder,
): Promise<AnswerFields> {
  const { notebook, focus, position } = place;
  const shared = cellsSharing(notebook, focus.cellId, nameAt(focus.source, position)?.name ?? '');
  const { document, at } = placeInDocument(linkedDocument(notebook, focus, shared), place);
  if (at === null) return {};
  languageServer.show(document);
  const context = { includeDeclaration: true };
  const references = readPlaces(
    await languageServer.request('textDocument/references', { position: at, context }),
  );
  const places = await shownPlaces(references, { uri: languageServer.uri, document, dir });
  return {
    places: places.filter((one) => shared.size === 1 || one.in === 'file' || shared.has(one.cell_id)),
  };
}

async function shownPlaces(
  locations: readonly ReadPlace[],
  {
    uri,
    document,
    dir,
  }: { readonly uri: string; readonly document: VirtualDocument; readonly dir: NotebookFolder },
): Promise<LanguagePlace[]> {
  const places: LanguagePlace[] = [];
  for (const { uri: where, span } of locations) {
    if (where === uri) {
      const there = document.spanToCell(span);
      if (there !== null) places.push({ in: 'cell', cell_id: there.cellId, span: there.span });
      continue;
    }
    const path = where.startsWith('file:') ? fileURLToPath(where) : null;
    const excerpt = path === null ? null : await excerptOf(path, span);
    if (path === null || excerpt === null) continue;
    const inside = relative(dir, path);
    const local = !inside.startsWith('..') && !isAbsolute(inside) && !inside.includes('site-packages');
    places.push({ in: 'file', path: local ? inside : path, local, ...excerpt });
  }
  return places;
}
