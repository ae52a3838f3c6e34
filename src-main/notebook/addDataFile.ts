import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDataFile } from '../../src-shared/notebook/dataFiles.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { removeFile } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { streamTo } from '../lib/guardedFolder/replace.ts';

/** Longer names are refused by file systems; some bytes stay for a number. */
const MOST_BYTES = 200;
const MOST_TRIES = 1_000;

/**
 * Copies a file a person dropped into the notebook's folder, under its own name or, where that is taken, with a number.
 * Nothing that is there is replaced.
 * @returns its name in the folder
 * @throws AppError bad_request for a name that is none of a data file; PlaceRefusal; the system's error
 */
export async function addDataFile(
  dir: string,
  file: { readonly path: string; readonly fileName: string },
): Promise<string> {
  const wanted = safeName(file.fileName);
  if (wanted === null) {
    const words = `"${file.fileName}" is no file a cell could read as a table. Drop a CSV, TSV, Parquet or JSON file.`;
    throw new AppError('bad_request', words);
  }
  const ending = extname(wanted);
  const stem = wanted.slice(0, wanted.length - ending.length);
  for (let tried = 1; tried <= MOST_TRIES; tried += 1) {
    const name = tried === 1 ? wanted : `${stem}-${tried}${ending}`;
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
    `The folder has ${MOST_TRIES} files called "${wanted}" already. Rename yours.`,
  );
}

/** The name without folders and what a file system, a shell or a path would stumble over; null for no data file. */
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

/** Names Windows keeps for devices, whatever their ending. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)\./i;
