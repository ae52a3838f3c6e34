/** Derives the names of cells' files from their ids, which may be any text. */

import { createHash } from 'node:crypto';
import type { CellId } from '../../../src-shared/notebook/ids.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';

/** The folder of a notebook with its cells; `cells[].file` is a name under it (docs/spec/notebook-file.md, 4). */
const FOLDER = 'cells/';

/** File systems allow names of 255 bytes; prefixes and suffixes of a stem need some of them. */
const MAX_STEM_BYTES = 160;
/** Ids of these characters are their own stem, so that the files of existing notebooks keep their names. */
const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
/**
 * The characters of an id that stay in a name: letters, digits and spaces of any script; the rest is percent-encoded.
 */
const KEPT = /[\p{L}\p{M}\p{N}_. -]/u;

/**
 * The name without suffix of the files that belong to a cell. Cell ids are any text, file names are not: `/`,
 * `%`, `:` and the like are percent-encoded, a long id is truncated and gets a digest. Two ids never share a
 * stem.
 */
export function fileStemOf(id: string): string {
  if (PLAIN.test(id) && !id.includes('..')) return id;
  // Some file systems store the composed and the decomposed form of a letter as one name.
  const isComposed = id === id.normalize('NFC');
  const characters = [...id];
  const stem = characters
    .map((character, at) => {
      const isEdge = at === 0 || at === characters.length - 1 || characters[at - 1] === '.';
      const isKept = KEPT.test(character) && (isComposed || character <= '\x7f');
      return isKept && !(isEdge && '. -'.includes(character)) ? character : percentEncoded(character);
    })
    .join('');
  const bytes = Buffer.from(stem);
  if (bytes.length <= MAX_STEM_BYTES) return stem;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `${bytes
    .subarray(0, MAX_STEM_BYTES / 2)
    .toString('utf8')
    .replaceAll('\ufffd', '')}%${digest}`;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** The path of a cell's tests, relative to the notebook's folder. */
export function testFileOf(id: CellId): string {
  return `${FOLDER}${fileStemOf(id)}.test.py`;
}

/** The file of a new cell in this language, relative to the notebook's folder. */
export function cellFileOf(id: CellId, language: Language): string {
  return `${FOLDER}${fileStemOf(id)}.${LANGUAGES[language].suffix}`;
}

/**
 * The path in the notebook's folder for a value of `cells[].file`: `load.py`, or `cells/load.py` of earlier
 * versions.
 */
export function cellPathOf(written: string): string {
  return written.startsWith(FOLDER) ? written : `${FOLDER}${written}`;
}

/**
 * How a new cell's path is written to notebook.toml: as a name under `cells/` (docs/spec/notebook-file.md, 4). Only a
 * notebook whose cells all have the longer form of earlier versions gets another in that form.
 * @param siblings the `file` values of the notebook's cells, as written
 */
export function writtenCellFile(path: string, siblings: readonly unknown[] = []): string {
  const isLong = (file: unknown): boolean => typeof file === 'string' && file.startsWith(FOLDER);
  return siblings.length > 0 && siblings.every(isLong) ? path : path.slice(FOLDER.length);
}

/** The first character of a digest, which distinguishes it from hex. */
const DIGEST_MARK = 'x';

/**
 * The stem of Cellar's own files about a cell under `.svc`, safe on case-insensitive disks: the id in hex, or
 * a digest of an id that is too long for a file name.
 */
export function hexStemOf(id: string): string {
  const bytes = Buffer.from(id);
  if (bytes.length <= MAX_STEM_BYTES / 2) return bytes.toString('hex');
  return `${DIGEST_MARK}${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The id that a {@link hexStemOf} encodes; null for a digest. */
export function idOfHexStem(stem: string): string | null {
  return /^(?:[0-9a-f]{2})+$/.test(stem) ? Buffer.from(stem, 'hex').toString('utf8') : null;
}
