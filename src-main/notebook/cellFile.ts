import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { AppError } from '../../src-shared/wire/errors.ts';
import { isSourceTooLong, MAX_SOURCE_CHARACTERS } from '../../src-shared/wire/routes/params.ts';
import { errnoOf } from '../lib/atomicFile.ts';

/** No text of that many characters takes more bytes; anything larger is not even read. */
const MAX_BYTES = MAX_SOURCE_CHARACTERS * 4 + 3;
const BOM = '\ufeff';

/** How a cell file spells its text; `mixed` line breaks are handed on and written back untouched. */
export interface TextStyle {
  readonly eol: 'lf' | 'crlf' | 'mixed';
  readonly bom: boolean;
}

export const PLAIN_STYLE: TextStyle = { eol: 'lf', bom: false };

/**
 * A cell file as found. `unusable`: there is something at the path that is no cell source; it is never
 * overwritten. Problems are sentences naming the file.
 */
export type CellFile =
  | { readonly kind: 'text'; readonly source: string; readonly style: TextStyle }
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'unusable'; readonly problem: string };

/** Reads `file` (relative, already checked to stay under cells/) of the notebook at `dir`. */
export async function readCellFile(dir: string, file: string): Promise<CellFile> {
  try {
    return cellFileOf(file, await readInside(dir, file));
  } catch (error) {
    return unreadable(file, error);
  }
}

/** The same at once, for one cell that is about to be written: a few microseconds, where many go to the thread pool. */
export function readCellFileNow(dir: string, file: string): CellFile {
  try {
    return cellFileOf(file, readInsideNow(dir, file));
  } catch (error) {
    return unreadable(file, error);
  }
}

function cellFileOf(file: string, bytes: Found): CellFile {
  const unusable = (what: string): CellFile => ({ kind: 'unusable', problem: `${file} ${what}` });
  if (bytes === 'outside') return unusable('is a link to a file outside the notebook');
  if (bytes === 'no file') return unusable('is not a regular file');
  if ('tooLong' in bytes) return unusable(tooLong(`${amount(bytes.tooLong)} bytes`));
  return decode(bytes, unusable);
}

function unreadable(file: string, error: unknown): CellFile {
  const code = errnoOf(error);
  if (code === 'ENOENT') return { kind: 'missing', problem: `${file} is missing` };
  if (code === null) throw error;
  return { kind: 'unusable', problem: `${file} cannot be read (${code})` };
}

/**
 * A folder of cells that is a link leads out of the notebook: files there are somebody else's.
 * @throws AppError conflict
 */
export async function refuseOutside(dir: string, file: string): Promise<void> {
  const folder = await realpath(join(dir, dirname(file))).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (folder === null || folder.startsWith((await realpath(dir)) + sep)) return;
  throw new AppError('conflict', `${dirname(file)} is a link out of the notebook; nothing there is changed.`);
}

/** The bytes a text has in a file of this style. */
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
  if (source.includes('\0')) return 'holds a NUL character';
  if (!source.isWellFormed()) return 'holds half of a surrogate pair, which UTF-8 cannot store';
  return isSourceTooLong(source) ? tooLong(`${amount(source.length)} characters`) : null;
}

function tooLong(length: string): string {
  const most = `${amount(MAX_SOURCE_CHARACTERS)} characters`;
  return `is ${length} long, and a cell holds at most ${most}: split it, or keep the text in a file that a cell reads`;
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

type Found = Buffer | 'outside' | 'no file' | { readonly tooLong: number };

async function readInside(dir: string, file: string): Promise<Found> {
  const path = join(dir, file);
  const root = await realpath(dir);
  if (!liesUnder(root, await realpath(dirname(path)))) return 'outside';
  const handle = await open(path, PLAIN).catch(async (error: unknown) => {
    if (errnoOf(error) !== 'ELOOP') throw error;
    return liesUnder(root, await realpath(path)) ? open(path, 'r') : null;
  });
  if (handle === null) return 'outside';
  try {
    const found = await handle.stat();
    return whyUnread(found) ?? (await handle.readFile());
  } finally {
    await handle.close();
  }
}

function readInsideNow(dir: string, file: string): Found {
  const path = join(dir, file);
  const root = realpathSync.native(dir);
  if (!liesUnder(root, realpathSync.native(dirname(path)))) return 'outside';
  const opened = openNow(path, root);
  if (opened === null) return 'outside';
  try {
    return whyUnread(fstatSync(opened)) ?? readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

function openNow(path: string, root: string): number | null {
  try {
    return openSync(path, PLAIN);
  } catch (error) {
    if (errnoOf(error) !== 'ELOOP') throw error;
    return liesUnder(root, realpathSync.native(path)) ? openSync(path, 'r') : null;
  }
}

function liesUnder(root: string, path: string): boolean {
  return path.startsWith(root + sep);
}

function whyUnread(found: Stats): 'no file' | { readonly tooLong: number } | null {
  if (!found.isFile()) return 'no file';
  return found.size > MAX_BYTES ? { tooLong: found.size } : null;
}

/** Does not follow a link at the end of the path, does not wait for a writer if it is a pipe. */
const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
