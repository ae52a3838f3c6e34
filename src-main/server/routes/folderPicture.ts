/** Handler's part of the route that sends a picture of the notebook's folder, which a Markdown cell shows. */

import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { readPicture } from '../../notebook/pictureFile.ts';
import type { StreamedBytes } from '../streamedBytes.ts';

/** Larger pictures are not shown in a text. */
const MAX_BYTES = 32 * 1024 ** 2;

/** A picture of a notebook's folder, for its Markdown. @throws AppError as `readPicture` */
export async function folderPicture(dir: NotebookFolder, path: string): Promise<StreamedBytes> {
  const { type, bytes } = await readPicture(dir, path, MAX_BYTES);
  return { pieces: inOnePiece(bytes), contentType: type, fileName: null };
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
