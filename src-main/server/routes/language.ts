/** Handler of the route by which the editor gets help while a user writes Python, such as completion. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { LANGUAGE_ROUTES } from '../../../src-shared/wire/routes/language.ts';
import { RequestDropped } from '../../lsp/wire/lspClient.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { cellOf, knownCellId, sessionOf } from './sessionOf.ts';

/** The handler of the editor's requests while a user writes Python (docs/extensions.md). */
export function languageHandlers({
  sessions,
}: Pick<HandlerContext, 'sessions'>): HandlersOf<typeof LANGUAGE_ROUTES> {
  return {
    askLanguage: async ({ params, body, wanted: signalOf }) => {
      const session = sessionOf(sessions, params.sid);
      const cellId = knownCellId(params.cell_id);
      cellOf(session, cellId);
      try {
        return await session.views.editor.language.ask(cellId, body, signalOf());
      } catch (error) {
        // The client withdrew the request and will not read this.
        if (error instanceof RequestDropped) throw new AppError('conflict', 'The question was cancelled.');
        throw error;
      }
    },
  };
}
