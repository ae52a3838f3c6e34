/** Handler of the route that stores the layout of a notebook's app view. */

import type { APP_ROUTES } from '../../../src-shared/wire/routes/appLayout.ts';
import { viewApp } from '../../session/view/viewApp.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

/** The handler of the route about the layout of the app view (docs/apps.md). */
export function appLayoutHandlers({
  sessions,
}: Pick<HandlerContext, 'sessions'>): HandlersOf<typeof APP_ROUTES> {
  return {
    setAppLayout: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'app', app: body } },
        'done',
      );
      return session.views.notebook.body().app ?? viewApp({ app: null });
    },
  };
}
