/** Handlers of the routes that start workers on other machines over SSH, and end them. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import { isTrueText } from '../../../src-shared/wire/routes/params.ts';
import type { SSH_WORKER_ROUTES } from '../../../src-shared/wire/routes/sshWorkers.ts';
import { isSshWorker, sshWorker } from '../../notebook/workers.ts';
import type { HandlersOf } from '../implementRoutes.ts';
import type { HandlerContext } from './notebooks.ts';
import { dispatchAndWait, type SessionRequester, sessionOf } from './sessionOf.ts';

const KNOWN = { refresh: false } as const;

/** The handlers of the routes about workers over SSH (docs/spec/remote-execution.md, 9). */
export function sshWorkerHandlers({
  sessions,
}: Pick<HandlerContext, 'sessions'>): HandlersOf<typeof SSH_WORKER_ROUTES> {
  return {
    connectSshWorker: async ({ params, body, caller, wanted: signalOf }) => {
      const session = sessionOf(sessions, params.sid);
      const { ssh_target: target, name = null, remote_port = null, local_port = null, install } = body;
      const request = {
        target,
        name,
        remotePort: remote_port,
        localPort: local_port,
        install,
        wanted: signalOf(),
      };
      const worker = await session.views.workers.ssh.connect(request);
      try {
        const defined = sshWorker(worker.name, { target, url: worker.executor_url });
        await define({ session, caller }, worker.name, [defined]);
        if (body.set_default) {
          await dispatchAndWait(
            { session, caller },
            { type: 'change_settings', change: { of: 'worker', worker: worker.name } },
            'done',
          );
        }
      } catch (error) {
        // Do not leave a worker running that the notebook does not know.
        await session.views.workers.ssh.disconnect(worker.name, { stopRemote: true });
        throw error;
      }
      return { worker, ...(await session.views.workers.catalog({ refresh: true })) };
    },
    listSshWorkers: async ({ params }) => ({
      tunnels: [...(await sessionOf(sessions, params.sid).views.workers.ssh.list())],
    }),
    disconnectSshWorker: async ({ params, query, caller }) => {
      const session = sessionOf(sessions, params.sid);
      const stopRemote = isTrueText(query.stop_remote);
      const torn_down = await session.views.workers.ssh.disconnect(params.name, { stopRemote });
      const { workers, worker } = session.views.notebook.body();
      if (workers.some((one) => one.name === params.name && isSshWorker(one))) {
        await define({ session, caller }, params.name, []);
        // An undefined default worker would block every cell.
        if (worker === params.name)
          await dispatchAndWait(
            { session, caller },
            { type: 'change_settings', change: { of: 'worker', worker: null } },
            'done',
          );
      }
      return { torn_down, ...(await session.views.workers.catalog(KNOWN)) };
    },
    workerLog: async ({ params, query }) => {
      const text = await sessionOf(sessions, params.sid).views.workers.ssh.log(query.name);
      if (text === null) {
        throw new AppError('not_found', `No worker '${query.name}' was started over SSH.`);
      }
      return { text };
    },
  };
}

/** Writes the definitions of a name into the notebook and replaces the existing ones. */
async function define(
  asking: SessionRequester,
  name: string,
  workers: readonly ReturnType<typeof sshWorker>[],
): Promise<void> {
  const others = asking.session.views.notebook.body().workers.filter((one) => one.name !== name);
  await dispatchAndWait(
    asking,
    { type: 'change_settings', change: { of: 'workers', workers: [...others, ...workers] } },
    'done',
  );
}
