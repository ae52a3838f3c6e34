/** Handlers of the routes that stop runs and writes of a notebook or folder for a time (a hold), and release it. */

import type { HOLD_ROUTES } from '../../../src-shared/wire/routes/holds.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { sessionOf } from './sessionOf.ts';

/** The default times of a hold (docs/spec/rest-notebooks.md, 3, 4). */
const DEFAULTS = { timeout_seconds: 30, max_hold_seconds: 600 } as const;

/** The handlers of the routes about holds on notebooks and folders (docs/spec/rest-notebooks.md, 4). */
export function holdHandlers({
  sessions,
  refuseWhenDraining,
}: Pick<HandlerContext, 'sessions' | 'refuseWhenDraining'>): HandlersOf<typeof HOLD_ROUTES> {
  const hold = (path: string, body: Partial<typeof DEFAULTS> | object | null | undefined) => {
    refuseWhenDraining();
    const { timeout_seconds, max_hold_seconds } = { ...DEFAULTS, ...body };
    return sessions.quiesce(path, { timeoutMs: timeout_seconds * 1000, maxHoldMs: max_hold_seconds * 1000 });
  };
  return {
    quiesceNotebook: ({ params, body }) => hold(sessionOf(sessions, params.sid).path, body),
    releaseNotebook: ({ params }) => sessions.release(sessionOf(sessions, params.sid).path),
    quiesceProject: ({ params, body }) => hold(params.path, body),
    releaseProject: ({ params }) => sessions.release(params.path),
  };
}
