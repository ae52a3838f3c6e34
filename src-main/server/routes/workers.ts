/** Handlers of the routes about the workers of a notebook, which run its cells on other machines. */

import { isTrueText } from '../../../src-shared/wire/routes/params.ts';
import type { WORKER_ROUTES } from '../../../src-shared/wire/routes/workers.ts';
import { LOCAL_WORKER } from '../../notebook/workers.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, sessionOf } from './sessionOf.ts';

const KNOWN = { refresh: false } as const;

/**
 * The handlers of the routes about a notebook's workers (docs/spec/remote-execution.md, 6, 7, 8; docs/extensions.md).
 */
export function workerHandlers({
  sessions,
}: Pick<HandlerContext, 'sessions'>): HandlersOf<typeof WORKER_ROUTES> {
  return {
    listWorkers: ({ params, query }) => {
      const refresh = isTrueText(query.refresh);
      return sessionOf(sessions, params.sid).views.workers.catalog({ refresh });
    },
    setWorkers: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'workers', workers: body.workers } },
        'done',
      );
      return {
        configured_workers: session.views.notebook.body().workers,
        ...(await session.views.workers.catalog(KNOWN)),
      };
    },
    setWorker: async ({ params, body, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const worker = body.worker === '' ? null : body.worker;
      await dispatchAndWait(
        { session, caller },
        { type: 'change_settings', change: { of: 'worker', worker } },
        'done',
      );
      const catalog = await session.views.workers.catalog(KNOWN);
      return {
        worker: session.views.notebook.body().worker ?? LOCAL_WORKER,
        ...catalog,
        cells: session.views.cells.all(),
      };
    },
    testWorker: async ({ params, body }) => {
      const { url, name = null, token = null, transport = null, svc_url = null } = body;
      const { workers } = sessionOf(sessions, params.sid).views;
      const trial = await workers.try({ url, name, token, transport, serverUrl: svc_url });
      const { trouble, problem, durationMs, reported, checks } = trial;
      return {
        ok: trouble === null,
        trouble,
        problem,
        checks: [...checks],
        duration_ms: durationMs,
        reported,
      };
    },
    setWorkerToken: async ({ params, body }) => {
      const { name, token } = body;
      sessionOf(sessions, params.sid).views.workers.keepToken(name, token);
      return { name, kept: token !== null && token !== '' };
    },
  };
}
