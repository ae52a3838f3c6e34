/** Handlers of the routes about a user's settings for one notebook on this machine. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { EXTENSION_ROUTES } from '../../../src-shared/wire/routes/extensions.ts';
import { errnoOf } from '../../lib/atomicFile.ts';
import { saveNotebookSettings } from '../../notebook/stored/notebookSettings.ts';
import type { Session } from '../../session/api.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

type Handlers = Pick<HandlersOf<typeof EXTENSION_ROUTES>, 'notebookSettings' | 'setNotebookSettings'>;

/** The handlers of the routes about a user's settings for a notebook (docs/extensions.md). */
export function settingsHandlers({ sessions }: Pick<HandlerContext, 'sessions'>): Handlers {
  return {
    notebookSettings: async ({ params }) => settingsOf(sessionOf(sessions, params.sid)),
    setNotebookSettings: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const { parallel_cells, auto_run } = body;
      if (parallel_cells !== undefined) {
        await dispatchAndWait(
          { session, caller },
          { type: 'limit_parallel_cells', parallelCells: parallel_cells },
          'done',
        );
      }
      if (auto_run !== undefined) {
        await dispatchAndWait({ session, caller }, { type: 'set_auto_run', autoRun: auto_run }, 'done');
      }
      try {
        const { parallel_cells: parallel, auto_run: automatic } = settingsOf(session);
        await saveNotebookSettings(session.path, { parallel_cells: parallel.own, auto_run: automatic });
      } catch (error) {
        const code = errnoOf(error);
        if (code === null) throw error;
        throw new AppError(
          'conflict',
          `The setting applies until the notebook is closed, because it could not be saved (${code}).`,
        );
      }
      return settingsOf(session);
    },
  };
}

function settingsOf(session: Session) {
  return {
    parallel_cells: session.views.settings.parallelCells(),
    auto_run: session.views.settings.autoRun(),
  };
}
