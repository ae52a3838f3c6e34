/** Handlers of the routes by which an administrator manages the workers that a server offers to every notebook. */

import { isTrueText } from '../../../src-shared/wire/routes/params.ts';
import type {
  SERVER_WORKER_ROUTES,
  ServerWorkersAnswer,
} from '../../../src-shared/wire/routes/serverWorkers.ts';
import {
  type WorkerRegistry,
  withChanged,
  withoutWorker,
  withWorker,
} from '../../session/effects/workerRegistry.ts';
import type { HandlersOf } from '../implementRoutes.ts';

/**
 * The handlers of the routes about the server's own workers (docs/spec/remote-execution.md, 7, 8). Every route answers
 * with the whole list.
 */
export function serverWorkerHandlers({
  serverWorkers,
}: {
  readonly serverWorkers: WorkerRegistry;
}): HandlersOf<typeof SERVER_WORKER_ROUTES> {
  const answer = async (refresh = false): Promise<ServerWorkersAnswer> => ({
    configured_workers: serverWorkers.offered().workers.map((worker) => ({ ...worker })),
    workers: [...(await serverWorkers.catalog({ refresh }))],
    definitions_editable: false,
    health_checked_at: Date.now(),
  });
  const edited = async (edit: Parameters<WorkerRegistry['edit']>[0]): Promise<ServerWorkersAnswer> => {
    await serverWorkers.edit(edit);
    return answer();
  };
  return {
    listServerWorkers: ({ query }) => answer(isTrueText(query.refresh)),
    setServerWorkers: ({ body }) => edited(() => body.workers),
    addServerWorker: ({ body }) => edited((before) => withWorker(before, body)),
    changeServerWorker: ({ params, body }) =>
      edited((before) => withChanged(before, params.name, () => body)),
    switchServerWorker: ({ params, body }) =>
      edited((before) => withChanged(before, params.name, (worker) => ({ ...worker, ...body }))),
    removeServerWorker: ({ params }) => edited((before) => withoutWorker(before, params.name)),
    askServerWorker: async ({ params }) => {
      await serverWorkers.ask(params.name);
      return answer();
    },
    reloadServerWorkers: async () => {
      await serverWorkers.reload();
      return answer();
    },
  };
}
