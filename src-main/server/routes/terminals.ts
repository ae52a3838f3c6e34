/** Handlers of the routes that list, open and close terminals: shells in the folder and environment of a notebook. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { TERMINAL_ROUTES } from '../../../src-shared/wire/routes/terminals.ts';
import type { Session } from '../../session/api.ts';
import type { TerminalNotebook, Terminals } from '../../terminal/terminals.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { sessionOf, writableSession } from './sessionOf.ts';

/** The handlers of the routes about terminals (docs/extensions.md). */
export function terminalHandlers({
  sessions,
  refuseWhenDraining,
  terminals,
}: Pick<HandlerContext, 'sessions' | 'refuseWhenDraining'> & {
  readonly terminals: Terminals;
}): HandlersOf<typeof TERMINAL_ROUTES> {
  return {
    listTerminals: async ({ params }) => ({
      terminals: [...terminals.list(sessionOf(sessions, params.sid).id)],
    }),
    openTerminal: async ({ params, body }) => {
      refuseWhenDraining();
      return terminals.open(terminalNotebook(writableSession(sessions, params.sid)), body);
    },
    closeTerminal: async ({ params }) => {
      const closed = await terminals.close(sessionOf(sessions, params.sid).id, params.terminal_id);
      if (!closed) throw new AppError('not_found', 'This terminal was closed.');
      return { closed: true };
    },
  };
}

function terminalNotebook(session: Session): TerminalNotebook {
  const { id, path, lifetime, views } = session;
  return { id, path, ended: lifetime.ended, whyNot: () => views.environment.whyNotPreviewed() };
}
