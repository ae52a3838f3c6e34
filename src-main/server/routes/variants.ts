/** Handlers of the routes that add a variant to a group and choose the active one. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { VARIANT_ROUTES } from '../../../src-shared/wire/routes/variants.ts';
import type { Session } from '../../session/api.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

/** The handlers of the routes about groups of variants (docs/spec/rest-notebooks.md, 5, 5.4). */
export function variantHandlers({ sessions }: HandlerContext): HandlersOf<typeof VARIANT_ROUTES> {
  return {
    addVariant: async ({ params, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const request = { type: 'add_variant', group: params.group_id } as const;
      const added = await dispatchAndWait({ session, caller }, request, 'variant');
      return { new_variant_name: added.name, new_cell_id: added.cellId, ...groupsOf(session) };
    },
    chooseVariant: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const { active = null, mode = null } = body;
      if (active === null && mode === null) {
        throw new AppError('bad_request', 'Give the active variant, the mode, or both.');
      }
      const request = { type: 'choose_variant', group: params.group_id, active, mode } as const;
      await dispatchAndWait({ session, caller }, request, 'done');
      return groupsOf(session);
    },
  };
}

function groupsOf(session: Session) {
  const { variant_groups, cells } = session.views.notebook.body();
  return { variant_groups, cells };
}
