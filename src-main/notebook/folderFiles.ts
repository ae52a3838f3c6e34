/**
 * The user's own files in a notebook's folder (local modules, notes, data), for the Files panel. Texts are
 * read and written whole; files are renamed and moved. The notebook's own files belong to their panels and
 * are refused here, and no file replaces another one.
 */

import { createHash } from 'node:crypto';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf, isTempName } from '../lib/atomicFile.ts';
import { makeFolderAt, moveTo } from '../lib/guardedFolder/names.ts';
import { type Place, placeIn } from '../lib/guardedFolder/place.ts';
import { lstatAt, readFileAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import { replaceFile } from '../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';

/** The maximum size of a text; larger ones should be opened in another program. */
const MAX_TEXT_BYTES = 1024 * 1024;

interface TextFile {
  readonly text: string;
  /** SHA-256 hex of its bytes: a write passes it as the text it started from. */
  readonly sha256: string;
}

/** Reads a text file. @throws AppError not_found, bad_request (not the user's own, no UTF-8 text, too large) */
export async function readTextFile(dir: NotebookFolder, path: string): Promise<TextFile> {
  const bytes = await guarded(path, () => readFileAt(placeOfOwn(dir, path), { maxBytes: MAX_TEXT_BYTES }));
  const text = textIn(bytes);
  if (text === null) throw new AppError('bad_request', `${path} is not a text file in UTF-8.`);
  return { text, sha256: digest(bytes) };
}

/**
 * Replaces a text. @param base digest of the text the edit started from; null: the file must not exist yet
 * @returns the digest of the new text @throws AppError conflict if the file has changed since; as `readTextFile`
 */
export async function writeTextFile(
  dir: NotebookFolder,
  path: string,
  { text, base }: { readonly text: string; readonly base: string | null },
): Promise<string> {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_TEXT_BYTES)
    throw new AppError('bad_request', `A text file can have at most 1 MB. Nothing was written.`);
  const place = placeOfOwn(dir, path);
  const before =
    base === null ? null : await guarded(path, () => readFileAt(place, { maxBytes: MAX_TEXT_BYTES }));
  const changed = new AppError('conflict', `${path} has changed on disk since you opened it.`);
  if (before !== null && digest(before) !== base) throw changed;
  const isWritten = await guarded(path, () => replaceFile(place, bytes, { expected: before }));
  if (!isWritten) throw changed;
  return digest(bytes);
}

/**
 * Renames a file, or moves it to another folder, which is made if it is missing.
 * @throws AppError not_found, bad_request, conflict if something has the new name
 */
export async function moveFile(dir: NotebookFolder, from: string, to: string): Promise<void> {
  const [source, target] = [placeOfOwn(dir, from), placeOfOwn(dir, to)];
  await guarded(from, async () => {
    const stats = lstatAt(source);
    if (stats === null) throw missing(from);
    if (!stats.isFile()) throw new AppError('bad_request', `${from} is not a file.`);
    if (target.names.length > 1) makeFolderAt({ ...target, names: target.names.slice(0, -1) });
    const other = lstatAt(target);
    // On a disk that ignores case, a change of case finds the file itself.
    if (other !== null && (other.ino !== stats.ino || other.dev !== stats.dev || from === to))
      throw new AppError('conflict', `${to} already exists. Choose another name.`);
    moveTo(source, target);
  });
}

/** Files that Cellar writes: cells, settings, packages. Each has a place in the window where it is changed. */
const NOTEBOOKS_OWN = new Set(['notebook.toml', 'pyproject.toml', 'uv.lock', 'renv.lock']);

/**
 * The place of a user's own file.
 * @throws AppError bad_request for a path that leads elsewhere, or to a file of the notebook itself
 */
function placeOfOwn(dir: NotebookFolder, path: string): Place {
  const names = path.split('/');
  const isPlain = (name: string): boolean =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    name.trim() !== '' && !name.startsWith('.') && !/[\u0000-\u001f\\]/.test(name) && !isTempName(name);
  if (path.length > 1_000 || !names.every((name) => isPlain(name) && Buffer.byteLength(name) <= 255))
    throw new AppError('bad_request', `"${path}" is not the path of a file in the notebook's folder.`);
  // Disks of macOS and Windows ignore case.
  const first = names[0]?.toLowerCase() ?? '';
  if (first === 'cells' || (names.length === 1 && NOTEBOOKS_OWN.has(first)))
    throw new AppError('bad_request', `${path} belongs to the notebook. Change it in the window instead.`);
  return placeIn(dir, path);
}

const missing = (path: string): AppError =>
  new AppError('not_found', `There is no file ${path} in the notebook's folder.`);

async function guarded<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PlaceRefusal) throw new AppError('bad_request', error.message);
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) throw missing(path);
    throw error;
  }
}

function textIn(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
