/** Reads and writes the source file of one cell. */

import { isUtf8 } from 'node:buffer';
import { dirname, join } from 'node:path';
import { AppError } from '../../../src-shared/wire/errors.ts';
import { isSourceTooLong, MAX_SOURCE_CHARACTERS } from '../../../src-shared/wire/routes/params.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { type Place, pathOf, placeIn } from '../../lib/guardedFolder/place.ts';
import { insidePlace, lstatAt, readFileAt, readFileAtSync } from '../../lib/guardedFolder/read.ts';
import { isLinkRefusal, PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from '../folder/notebookFolder.ts';

/** The maximum size of a valid text in bytes; a larger file is not read. */
const MAX_BYTES = MAX_SOURCE_CHARACTERS * 4 + 3;
const LIMIT = { maxBytes: MAX_BYTES };
const BOM = '\ufeff';

/** The encoding of a cell file's text; `mixed` line breaks are passed on and written back unchanged. */
export interface TextStyle {
  readonly eol: 'lf' | 'crlf' | 'mixed';
  readonly bom: boolean;
}

export const PLAIN_STYLE: TextStyle = { eol: 'lf', bom: false };

/**
 * The content of a cell file. `unusable`: something is at the path that is not a cell source; it is never
 * overwritten. Problems are sentences naming the file.
 */
export type CellFile =
  | { readonly kind: 'text'; readonly source: string; readonly style: TextStyle }
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'unusable'; readonly problem: string };

/** Reads `file` (relative, already checked to stay under cells/) of the notebook at `dir`. */
export async function readCellFile(dir: NotebookFolder, file: string): Promise<CellFile> {
  try {
    return cellFileOf(file, await orInside(placeIn(dir, file), (place) => readFileAt(place, LIMIT)));
  } catch (error) {
    return unreadable(dir, file, error);
  }
}

/**
 * Reads a cell file synchronously, for one cell that is about to be written: this takes a few microseconds; many cells
 * go through the thread pool.
 */
export function readCellFileSync(dir: NotebookFolder, file: string): CellFile {
  try {
    return cellFileOf(file, readFileAtSync(cellPlace(dir, file), LIMIT));
  } catch (error) {
    return unreadable(dir, file, error);
  }
}

/** Reads at a place or, if there is a link, at its target within the folder (SG-7). */
async function orInside<T>(place: Place, read: (place: Place) => Promise<T>): Promise<T> {
  try {
    return await read(place);
  } catch (error) {
    if (!isLinkRefusal(error) || error.path !== pathOf(place)) throw error;
    return read(insidePlace(place));
  }
}

/**
 * The file of a cell's text: at its own path, or the file of the same notebook that a link there names
 * (SG-7). @throws PlaceRefusal if the link leads outside
 */
export function cellPlace(dir: NotebookFolder, file: string): Place {
  return insidePlace(placeIn(dir, file));
}

function cellFileOf(file: string, bytes: Buffer): CellFile {
  return decode(bytes, (what) => ({ kind: 'unusable', problem: `${file} ${what}` }));
}

function unreadable(dir: NotebookFolder, file: string, error: unknown): CellFile {
  const code = errnoOf(error);
  if (code === 'ENOENT') return { kind: 'missing', problem: `${file} is missing` };
  if (code === 'ENOTDIR') {
    const problem = `${file} cannot be read: ${dirname(file)} is a file, but must be a folder. Move the file away`;
    return { kind: 'unusable', problem };
  }
  if (code === null) throw error;
  return { kind: 'unusable', problem: `${file} ${whyUnusable({ dir, file, code, error })}` };
}

function whyUnusable(refused: {
  readonly dir: NotebookFolder;
  readonly file: string;
  readonly code: string;
  readonly error: unknown;
}): string {
  const { dir, file, code, error } = refused;
  if (!(error instanceof PlaceRefusal)) return `cannot be read (${code})`;
  switch (error.kind) {
    case 'link':
      return error.path === join(dir, file)
        ? 'is a link to a file outside the notebook; replace it with the file itself'
        : `cannot be read: ${dirname(file)} is a link to a folder outside the notebook; replace it with the folder itself`;
    case 'not plain':
      return 'is not a regular file';
    case 'too long':
      return tooLong(`${amount(error.bytes ?? MAX_BYTES)} bytes`);
    default:
      return `cannot be read (${code})`;
  }
}

/** Refuses a folder of cells that is a link: its files are outside the notebook. @throws AppError conflict */
export function refuseOutside(dir: NotebookFolder, file: string): void {
  try {
    lstatAt(placeIn(dir, file));
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    throw new AppError(
      'conflict',
      `${dirname(file)} is a link out of the notebook, so nothing was changed there.`,
    );
  }
}

/** The bytes of a text in a file of this style. */
export function encodeSource(source: string, style: TextStyle): string {
  const text = style.eol === 'crlf' ? normalizeSource(source, style).replaceAll('\n', '\r\n') : source;
  return (style.bom ? BOM : '') + text;
}

/** The text as the session sees it: LF, except where the file itself mixes line breaks. */
export function normalizeSource(source: string, style: TextStyle): string {
  return style.eol === 'mixed' ? source : source.replaceAll('\r\n', '\n');
}

/** Why a text cannot be a cell's source, or null. */
export function sourceProblem(source: string): string | null {
  if (source.includes('\0')) return 'contains a NUL character';
  if (!source.isWellFormed()) return 'contains half of a surrogate pair, which UTF-8 cannot store';
  return isSourceTooLong(source) ? tooLong(`${amount(source.length)} characters`) : null;
}

function tooLong(length: string): string {
  const most = `${amount(MAX_SOURCE_CHARACTERS)} characters`;
  return `is ${length} long, and a cell can have at most ${most}: split it, or move the text to a file that a cell reads`;
}

const amount = (count: number): string => count.toLocaleString('en-US');

function decode(bytes: Buffer, unusable: (what: string) => CellFile): CellFile {
  if (bytes.includes(0)) return unusable('is a binary file');
  if (!isUtf8(bytes)) return unusable('is not UTF-8 text');
  const whole = bytes.toString('utf8');
  const bom = whole.startsWith(BOM);
  const text = bom ? whole.slice(1) : whole;
  if (isSourceTooLong(text)) return unusable(tooLong(`${amount(text.length)} characters`));
  const style: TextStyle = { eol: eolStyle(text), bom };
  return { kind: 'text', source: normalizeSource(text, style), style };
}

function eolStyle(text: string): TextStyle['eol'] {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  if (crlf === 0) return 'lf';
  return crlf === all ? 'crlf' : 'mixed';
}
