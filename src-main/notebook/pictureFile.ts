/** Reads a picture in a notebook's folder that a text cell shows. */

import { AppError } from '../../src-shared/wire/errors.ts';
import { errnoOf } from '../lib/atomicFile.ts';
import { placeIn } from '../lib/guardedFolder/place.ts';
import { readFileAt } from '../lib/guardedFolder/read.ts';
import { PlaceRefusal } from '../lib/guardedFolder/refusal.ts';
import type { NotebookFolder } from './folder/notebookFolder.ts';

/** The picture formats that run no code in a page, by their first bytes: a name alone proves nothing. */
const FORMATS: readonly { readonly type: string; readonly is: (head: string) => boolean }[] = [
  { type: 'image/png', is: (head) => head.startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', is: (head) => head.startsWith('\xff\xd8\xff') },
  { type: 'image/gif', is: (head) => /^GIF8[79]a/.test(head) },
  { type: 'image/webp', is: (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' },
];

interface Picture {
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * A picture of a notebook's folder, for its Markdown. No link is followed, hidden files are not read, and the
 * bytes must be a picture's. @throws AppError not_found, bad_request
 */
export async function readPicture(dir: NotebookFolder, path: string, maxBytes: number): Promise<Picture> {
  const bytes = await bytesIn(dir, path, maxBytes);
  const head = bytes.subarray(0, 16).toString('latin1');
  const format = FORMATS.find(({ is }) => is(head));
  if (format === undefined)
    throw new AppError('bad_request', `${path} is not a PNG, JPEG, GIF or WebP picture.`);
  return { type: format.type, bytes };
}

async function bytesIn(dir: NotebookFolder, path: string, maxBytes: number): Promise<Buffer> {
  const missing = new AppError('not_found', `There is no picture ${path} in the notebook's folder.`);
  const names = path.split(/[\\/]/).filter((name) => name.trim() !== '' && name !== '.');
  if (names.length === 0 || path.includes('\0') || names.some((name) => name.startsWith('.'))) throw missing;
  try {
    return await readFileAt(placeIn(dir, path), { maxBytes });
  } catch (error) {
    if (error instanceof PlaceRefusal) throw new AppError('bad_request', error.message);
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) throw missing;
    throw error;
  }
}
