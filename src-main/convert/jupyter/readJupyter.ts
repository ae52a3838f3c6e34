/** Parses a Jupyter file: its encoding, its JSON, its cells and its kernel, whatever nbformat it has. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { isObject, type JsonObject } from './jupyterJson.ts';
import { upgradedCells } from './oldFormats.ts';

/** A Jupyter notebook with its cells in nbformat 4. */
export interface JupyterFile {
  readonly cells: readonly JsonObject[];
  /** `python`, `r`, the name of another language, or null if the file does not contain it. */
  readonly kernelLanguage: string | null;
  /** Whether the file names a Python 2 kernel. */
  readonly isPython2: boolean;
  /** The original format; null if nothing was converted. */
  readonly oldFormat: number | null;
}

const MAX_CELLS = 10_000;

/**
 * The text of a file. @throws AppError bad_request for bytes that are neither UTF-8 nor marked as UTF-16:
 * other encodings can only be guessed, and a wrong guess changes letters
 */
export function decodeJupyter(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message =
      encoding === 'utf-8'
        ? `The file is not UTF-8 text. It looks like ${likelyEncoding(bytes)}. Save it as UTF-8, then import it again.`
        : `The file is marked as ${encoding.toUpperCase()} but is damaged. Save it as UTF-8, then import it again.`;
    throw new AppError('bad_request', message);
  }
}

/** Windows-1252 has characters at codes that are control codes in ISO 8859-1. */
function likelyEncoding(bytes: Uint8Array): string {
  return bytes.some((byte) => byte >= 0x80 && byte <= 0x9f)
    ? 'Windows-1252 or another 8-bit encoding'
    : 'ISO 8859-1 (Latin-1)';
}

/** @throws AppError bad_request for anything but a Jupyter notebook */
export function readJupyter(text: string): JupyterFile {
  const notebook = parsed(text);
  const { cells, oldFormat } = cellsOf(notebook);
  if (cells.length > MAX_CELLS)
    throw new AppError(
      'bad_request',
      `This notebook has ${cells.length} cells, more than the limit of ${MAX_CELLS}.`,
    );
  return { cells, oldFormat, ...kernelOf(notebook) };
}

function parsed(text: string): JsonObject {
  const plain = text.replace(/^\uFEFF/, '');
  const value = jsonValue(plain) ?? jsonValue(withoutNaN(plain));
  if (value === undefined) {
    throw new AppError('bad_request', `This is not a Jupyter notebook: the file is not JSON${hint(text)}.`);
  }
  if (isObject(value)) return value;
  throw new AppError('bad_request', 'This is not a Jupyter notebook: the file has no JSON object.');
}

/** Undefined for invalid JSON. */
function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Python writes NaN and Infinity as numbers, which are invalid JSON; they become null. Strings do not change.
 */
function withoutNaN(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    pieces.push(text.slice(at, end).replace(/-?\b(?:NaN|Infinity)\b/g, 'null'));
    at = end;
    if (quote === -1) break;
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    at += 1;
    pieces.push(text.slice(quote, at));
  }
  return pieces.join('');
}

/** A guess at what a file that is not JSON is, for the error message. */
function hint(text: string): string {
  const start = text.trimStart().slice(0, 200);
  if (/^version https:\/\/git-lfs/.test(start))
    return ' but a Git LFS pointer; fetch the file with `git lfs pull`';
  if (/^<{7} /m.test(text)) return ': it has merge conflict markers; resolve the conflict first';
  if (/^<(?:!doctype|html)/i.test(start)) return ' but a web page; download the raw file instead';
  return '';
}

function cellsOf(notebook: JsonObject): {
  readonly cells: readonly JsonObject[];
  readonly oldFormat: number | null;
} {
  const { cells } = notebook;
  if (Array.isArray(cells) && cells.every(isObject)) return { cells, oldFormat: null };
  const upgraded = upgradedCells(notebook);
  if (upgraded !== null) {
    const { nbformat } = notebook;
    return { cells: upgraded, oldFormat: typeof nbformat === 'number' ? nbformat : 3 };
  }
  throw new AppError('bad_request', 'This is not a Jupyter notebook: it has no list of cells.');
}

function kernelOf({ metadata }: JsonObject): Pick<JupyterFile, 'kernelLanguage' | 'isPython2'> {
  if (!isObject(metadata)) return { kernelLanguage: null, isPython2: false };
  const { kernelspec, language_info: info } = metadata;
  const spec = isObject(kernelspec) ? kernelspec : {};
  const specName = spec['language'] ?? spec['name'];
  const language = isObject(info) && typeof info['name'] === 'string' ? info['name'] : specName;
  const version = isObject(info) ? info['version'] : null;
  const isPython2 = spec['name'] === 'python2' || (typeof version === 'string' && /^2\./.test(version));
  if (typeof language !== 'string' || language === '') return { kernelLanguage: null, isPython2 };
  const plain = language.toLowerCase();
  if (plain === 'ir' || plain === 'r') return { kernelLanguage: 'r', isPython2: false };
  const isPython = /^(i?python|python\d)/.test(plain);
  return isPython ? { kernelLanguage: 'python', isPython2 } : { kernelLanguage: plain, isPython2: false };
}
