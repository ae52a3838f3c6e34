/** Renames a Python variable in all cells of a notebook that use it, at the editor's request. */

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Directive, readDirectives, wordsOf } from '../../../src-shared/notebook/directives.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { LanguageAnswer } from '../../../src-shared/wire/routes/language.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import type { NotebookText } from '../document/notebookText.ts';
import { isPythonName, nameAt } from '../document/pythonWord.ts';
import { VirtualDocument } from '../document/virtualDocument.ts';
import { cellsSharing, linkedDocument } from '../document/visibleCells.ts';
import { readEdits, readPlaces } from './fromServer.ts';
import type { QuestionPosition, QuestionServer } from './question.ts';

interface RenameQuestion extends QuestionPosition {
  /** Null: only checks whether it can be renamed. */
  readonly name: string | null;
  /** The notebook's folder. */
  readonly dir: NotebookFolder;
}

type Renamed = Pick<LanguageAnswer, 'renames' | 'words' | 'span' | 'edits'>;

/**
 * Renames a variable in all cells that use it, or explains why it cannot. All or nothing: a use that the
 * server cannot see (another language, an annotation, a text that does not parse) refuses the rename.
 */
export async function askRename(question: RenameQuestion, languageServer: QuestionServer): Promise<Renamed> {
  const { notebook, focus, position, name } = question;
  const word = nameAt(focus.source, position);
  if (word === null) return refused('There is no name here.');
  const shared = cellsSharing(notebook, focus.cellId, word.name);
  const reason = whyNot(question, word.name, shared);
  if (reason !== null) return refused(reason);
  const document = new VirtualDocument(linkedDocument(notebook, focus, shared));
  const at = document.toDocument(focus.cellId, position);
  if (at === null) return refused('There is no name here.');
  languageServer.show(document);
  const defined = readPlaces(await languageServer.request('textDocument/definition', { position: at }));
  const elsewhere = defined.find(
    ({ uri, span }) => uri !== languageServer.uri || document.spanToCell(span) === null,
  );
  if (defined.length === 0) return refused(`${word.name} is not defined in this notebook.`);
  if (elsewhere !== undefined) return refused(definedIn(elsewhere.uri, { ...question, word: word.name }));
  const location = { words: null, renames: word.name, span: word.span };
  if (name === null) return location;
  const edits = readEdits(
    await languageServer.request('textDocument/rename', { position: at, newName: name }),
  );
  const isVariable = shared.size > 1 || isShared(notebook, focus.cellId, word.name);
  const mapped = [];
  for (const { uri, span, text } of edits) {
    if (uri !== languageServer.uri)
      return refused(`${word.name} is also used in ${shownPath(uri, question.dir)}.`);
    const place = document.spanToCell(span);
    if (place !== null && (!isVariable || shared.has(place.cellId)))
      mapped.push({ cell_id: place.cellId, span: place.span, text });
  }
  if (mapped.length === 0) return refused(`${word.name} cannot be renamed here.`);
  return { ...location, edits: mapped };
}

function refused(words: string): Renamed {
  return { renames: null, words, edits: [] };
}

function isShared(notebook: NotebookText, cellId: string, name: string): boolean {
  const cell = notebook.cells.find(({ id }) => id === cellId);
  return cell?.defines.includes(name) === true || cell?.references.includes(name) === true;
}

function whyNot(
  { notebook, name, focus }: RenameQuestion,
  word: string,
  shared: ReadonlySet<string>,
): string | null {
  if (name !== null && !isPythonName(name)) return `"${name}" is not a name in Python.`;
  if (name === word) return 'This is the same name.';
  const isVariable = isShared(notebook, focus.cellId, word);
  const collision = notebook.cells.find(
    ({ defines, references }) => name !== null && (defines.includes(name) || references.includes(name)),
  );
  if (isVariable && collision !== undefined)
    return `Another cell already uses the name ${name}. Choose another one.`;
  const cells = notebook.cells.filter(({ id }) => shared.has(id));
  const other = cells.find(({ language }) => !LANGUAGES[language].hasServices);
  if (other !== undefined) {
    return `${word} is also used by a cell that is not Python (${other.language}). Rename it by hand there and here.`;
  }
  const isWord = new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'u');
  const directive = cells
    .flatMap(({ source }) => readDirectives(source))
    .find((one) => isWord.test(variablesIn(one)));
  if (isVariable && directive !== undefined)
    return `The annotation @${directive.key} also uses the name ${word}. Rename it there and here by hand.`;
  return null;
}

/** The part of an annotation that names variables. The name of a cell does not: it is often that of a variable. */
function variablesIn({ key, argument }: Directive): string {
  switch (key) {
    case 'mount':
    case 'table':
    case 'fetch':
    case 'dataset':
      return wordsOf(argument)[0] ?? '';
    case 'loop':
      return wordsOf(argument)
        .flatMap((word) => /^carry=(.*)$/.exec(word)?.[1] ?? [])
        .join(' ');
    case 'loop_until':
      return argument;
    default:
      return '';
  }
}

function definedIn(
  uri: string,
  { dir, word }: { readonly dir: NotebookFolder; readonly word: string },
): string {
  return `${word} is defined in ${shownPath(uri, dir)}, outside the cells.`;
}

function shownPath(uri: string, dir: NotebookFolder): string {
  if (!uri.startsWith('file:')) return 'the standard library';
  const path = fileURLToPath(uri);
  const inside = relative(dir, path);
  return inside.startsWith('..') ? path : inside;
}
