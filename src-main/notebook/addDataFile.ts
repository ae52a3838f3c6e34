import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDataFile } from '../../src-shared/notebook/dataFiles.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { removeFile } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { streamTo } from '../lib/guardedFolder/replace.ts';

/** Longer names are refused by file systems; a few bytes are reserved for a number. */
const MOST_BYTES = 200;
const MOST_TRIES = 1_000;

/**
 * Copies a file that a user dropped on the window into the notebook's folder, under its own name or, if
 * that is in use, with a number. Existing files are never replaced. @returns its name in the folder @throws
 * AppError bad_request for a name that no data file can have; PlaceRefusal; the system's error
 */
export async function addDataFile(
  dir: string,
  file: { readonly path: string; readonly fileName: string },
): Promise<string> {
  const safe = safeName(file.fileName);
  if (safe === null) {
    const message = `"${file.fileName}" is not a file that a cell can read as a table. Drop a CSV, TSV, Parquet or JSON file.`;
    throw new AppError('bad_request', message);
  }
  const ending = extname(safe);
  const stem = safe.slice(0, safe.length - ending.length);
  for (let tried = 1; tried <= MOST_TRIES; tried += 1) {
    const name = tried === 1 ? safe : `${stem}-${tried}${ending}`;
    const target = placeIn(dir, name);
    let out: ReturnType<typeof streamTo>;
    try {
      out = streamTo(target, { mode: 0o644, flush: true });
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') continue;
      throw error;
    }
    try {
      await pipeline(createReadStream(file.path), out);
      return name;
    } catch (error) {
      removeFile(target);
      throw error;
    }
  }
  throw new AppError(
    'conflict',
    `The folder has ${MOST_TRIES} files called "${safe}" already. Rename yours.`,
  );
}

/**
 * The name without folders and without characters that are unsafe in file systems, shells or paths; null if
 * it is not a data file's name.
 */
function safeName(fileName: string): string | null {
  const last = fileName.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  const isFit = isDataFile(plain) && plain.isWellFormed() && Buffer.byteLength(plain) <= MOST_BYTES;
  return isFit && !RESERVED.test(plain) ? plain : null;
}

/** Names Windows reserves for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)\./i;
