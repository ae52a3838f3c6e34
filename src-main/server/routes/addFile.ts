/** Adds an uploaded file to a notebook's folder: the handler's part of the upload route. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { PlaceRefusal } from '../../lib/guardedFolder/refusal.ts';
import { addDataFile } from '../../notebook/addDataFile.ts';
import { HELD_MESSAGE } from '../../session/state/holds.ts';
import type { HandlerContext } from './notebooks.ts';
import { sessionOf } from './sessionOf.ts';

/** Copies an uploaded file into the folder of a notebook that is trusted and not held. */
export async function addFile(
  { sessions }: Pick<HandlerContext, 'sessions'>,
  {
    sid,
    file,
  }: { readonly sid: string; readonly file: { readonly path: string; readonly fileName: string } },
): Promise<{ readonly path: string }> {
  const session = sessionOf(sessions, sid);
  const { untrusted } = session.views.notebook.body();
  if (untrusted !== undefined) throw new AppError('NOTEBOOK_UNTRUSTED', untrusted);
  if (session.views.notebook.hold === 'held') throw new AppError('NOTEBOOK_QUIESCED', HELD_MESSAGE);
  try {
    return { path: await addDataFile(session.path, file) };
  } catch (error) {
    if (!(error instanceof PlaceRefusal)) throw error;
    throw new AppError('conflict', error.message);
  }
}
