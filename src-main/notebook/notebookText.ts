/** Reads the text of notebook.toml, and applies edits to it without changing the rest. */

import { isUtf8 } from 'node:buffer';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { readFileAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookText } from './edits/notebookEdits.ts';
import { NOTEBOOK_FILE, parseDocument, readNotebookDocument } from './file/notebookFile.ts';
import { saveRules } from './file/saveRules.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';
import { NotebookFileError } from './toml/notebookFileError.ts';
import { isTooDeep, MAX_TOML_DEPTH } from './toml/tomlDepth.ts';
import { TomlEditError, type TomlOp } from './toml/tomlOp.ts';
import { patchToml, type TomlDocument } from './toml/tomlPatch.ts';

/** A notebook.toml as read: the text without its BOM, and its parsed content. */
export interface ReadNotebookText extends NotebookText {
  readonly text: string;
  readonly bom: boolean;
}

const BOM = '\ufeff';
/** The maximum size of notebook.toml: far larger than any real file; prevents a wrong one from filling memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The text of a notebook's file. @throws NotebookFileError when it is missing, too large or not UTF-8 */
export async function readNotebookToml(dir: NotebookFolder): Promise<string> {
  try {
    const bytes = await readFileAt(placeIn(dir, NOTEBOOK_FILE), { maxBytes: MAX_BYTES });
    if (!isUtf8(bytes) || bytes.includes(0)) throw new NotebookFileError('is not UTF-8 text');
    return bytes.toString('utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      throw new NotebookFileError('is missing, so this folder is not a notebook');
    if (error instanceof PlaceRefusal) throw new NotebookFileError(whyRefused(error));
    throw error;
  }
}

function whyRefused({ kind }: PlaceRefusal): string {
  if (kind === 'too long') return 'is larger than 32 MiB';
  return kind === 'link' ? 'is a link; replace it with the file itself' : 'is a folder or a pipe, not a file';
}

/** Parses a raw text. @throws NotebookFileError naming the line and the problem */
export function parseNotebookText(raw: string): ReadNotebookText {
  const bom = raw.startsWith(BOM);
  const text = bom ? raw.slice(1) : raw;
  return described({ text, document: parseDocument(text) }, bom);
}

/** The complete text for the disk. */
export function rawText({ text, bom }: ReadNotebookText): string {
  return (bom ? BOM : '') + text;
}

/**
 * The text after an edit and the rules of every save; the same text when nothing changes. @throws
 * NotebookFileError when the text cannot be edited in this way @throws AppError bad_request when the
 * resulting file could not be read again
 */
export function editNotebookText(before: ReadNotebookText, ops: readonly TomlOp[]): ReadNotebookText {
  if (ops.length === 0) return before;
  refuseTooDeep(ops);
  try {
    const edited = patchToml(before, ops);
    const saved = patchToml(edited, saveRules(edited.document));
    refuseTooLong(saved.text);
    return described(saved, before.bom);
  } catch (error) {
    if (error instanceof TomlEditError) throw new NotebookFileError(error.message);
    throw error;
  }
}

/** Refuses values that are nested too deeply; checked first, because reading values is recursive. */
function refuseTooDeep(ops: readonly TomlOp[]): void {
  const deep = ops.find((op) => {
    const depth = op.path.length + (op.op === 'insert' ? 2 : 1);
    return op.op !== 'remove' && typeof op.value === 'object' && isTooDeep(op.value, depth);
  });
  if (deep === undefined) return;
  const what = deep.path.filter((step) => typeof step === 'string').join('.');
  throw new AppError(
    'bad_request',
    `The value of ${what} is nested more than ${MAX_TOML_DEPTH} levels deep in ${NOTEBOOK_FILE} and could not be read again. Nothing was written.`,
  );
}

function refuseTooLong(text: string): void {
  // A BOM adds three bytes.
  if (Buffer.byteLength(text) + 3 <= MAX_BYTES) return;
  throw new AppError(
    'bad_request',
    `${NOTEBOOK_FILE} would be larger than ${MAX_BYTES / 1024 ** 2} MiB and could not be read again. Nothing was written.`,
  );
}

function described({ text, document }: TomlDocument, bom: boolean): ReadNotebookText {
  return { text, document, bom, file: readNotebookDocument({ text, document }) };
}
