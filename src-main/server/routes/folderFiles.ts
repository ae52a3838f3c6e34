/** Handlers of the routes that read, write, rename and move the user's own files in a notebook's folder. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { FOLDER_ROUTES } from '../../../src-shared/wire/routes/folder.ts';
import type { NotebookFolder } from '../../notebook/folder/notebookFolder.ts';
import { moveFile, readTextFile, writeTextFile } from '../../notebook/folderFiles.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { sessionOf, writableSession } from './sessionOf.ts';

type Handlers = Pick<HandlersOf<typeof FOLDER_ROUTES>, 'readTextFile' | 'writeTextFile' | 'moveFile'>;

/** The handlers of the routes about the user's own files in the folder of a notebook (docs/extensions.md). */
export function folderFileHandlers({ sessions }: Pick<HandlerContext, 'sessions'>): Handlers {
  /** @throws AppError NOTEBOOK_UNTRUSTED, NOTEBOOK_QUIESCED, read_only */
  const writableFolder = (sid: string): NotebookFolder => {
    const session = writableSession(sessions, sid);
    const { folder_problem: problem, untrusted } = session.views.notebook.body();
    if (problem !== undefined) throw new AppError('read_only', problem);
    if (untrusted !== undefined) throw new AppError('NOTEBOOK_UNTRUSTED', untrusted);
    session.lifetime.touch();
    return session.path;
  };
  return {
    readTextFile: async ({ params, query }) => readTextFile(sessionOf(sessions, params.sid).path, query.path),
    writeTextFile: async ({ params, body }) => {
      const { path, text, base_sha256: base } = body;
      return { sha256: await writeTextFile(writableFolder(params.sid), path, { text, base }) };
    },
    moveFile: async ({ params, body }) => {
      await moveFile(writableFolder(params.sid), body.from, body.to);
      return { path: body.to };
    },
  };
}
