/** Copies a file that a user dropped on the window into the notebook's folder. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileUse, MAX_PICTURE_BYTES, PICTURE_FOLDER } from '../../src-shared/notebook/dataFiles.ts';
import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { makeFolderAt, removeFile } from '../lib/guardedFolder/names.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { streamTo } from '../lib/guardedFolder/replace.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';

/** The maximum length of a name in bytes: file systems refuse longer ones, and a number may be added. */
const MAX_BYTES = 200;
const MAX_TRIES = 1_000;

/**
 * Copies a dropped file into the notebook's folder, a picture into a folder of pictures in it, under its own name or,
 * if that is in use, with a number. Existing files are never replaced.
 * @returns its path in the folder
 * @throws AppError bad_request for a name that no data file can have; PlaceRefusal; the system's error
 */
export async function addDataFile(
  dir: NotebookFolder,
  file: { readonly path: string; readonly fileName: string },
): Promise<string> {
  const safe = safeName(file.fileName);
  if (safe === null) {
    const message = `"${file.fileName}" is not a file that a cell can read. Use a CSV, TSV, Parquet, Excel, JSON or SQLite file, or a picture.`;
    throw new AppError('bad_request', message);
  }
  const isPicture = fileUse(safe) === 'picture';
  if (isPicture) await refuseLargePicture(file.path, safe);
  const folder = isPicture ? placeIn(dir, PICTURE_FOLDER) : null;
  if (folder !== null) makeFolderAt(folder);
  const ending = /(?:\.(?:csv|tsv))?\.\w+$/i.exec(safe)?.[0] ?? '';
  const stem = safe.slice(0, safe.length - ending.length);
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const name = attempt === 1 ? safe : `${stem}-${attempt}${ending}`;
    const path = isPicture ? `${PICTURE_FOLDER}/${name}` : name;
    const target = placeIn(dir, path);
    let out: ReturnType<typeof streamTo>;
    try {
      out = streamTo(target, { mode: 0o644, flush: true });
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') continue;
      throw error;
    }
    try {
      await pipeline(createReadStream(file.path), out);
      return path;
    } catch (error) {
      removeFile(target);
      throw error;
    }
  }
  throw new AppError('conflict', `The folder already has ${MAX_TRIES} files named "${safe}". Rename yours.`);
}

async function refuseLargePicture(path: string, name: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= MAX_PICTURE_BYTES) return;
  throw new AppError('bad_request', `"${name}" is larger than 32 MiB. Use a smaller picture.`);
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
  const isFit = fileUse(plain) !== null && plain.isWellFormed() && Buffer.byteLength(plain) <= MAX_BYTES;
  return isFit && !RESERVED.test(plain) ? plain : null;
}

/** Names Windows reserves for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)\./i;
