/** Reads and tests the workers of a session's notebook, and stores their tokens. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { SshTunnelRecord } from '../../../src-shared/wire/routes/sshWorkers.ts';
import type { WorkerCatalog } from '../../../src-shared/wire/workers.ts';
import { tryCell } from '../../exec/remote/health/tryCell.ts';
import { tryWorker, type WorkerTrial } from '../../exec/remote/health/tryWorker.ts';
import type { RemoteWorkers } from '../../exec/remote/remoteWorkers.ts';
import { nameOfTarget } from '../../exec/remote/ssh/sshArguments.ts';
import { SshFailure } from '../../exec/remote/ssh/sshTrouble.ts';
import type { ConnectRequest } from '../../exec/remote/ssh/sshWorkers.ts';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import { isSshWorker, LOCAL_WORKER, WORKER_NAME, workerUrl } from '../../notebook/workers.ts';
import { workerNamed } from '../keys/workers.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';
import { workerCatalog } from '../view/workerCatalog.ts';

/** A worker to start through ssh. */
interface SshRequest extends Omit<ConnectRequest, 'notebookId'> {}

/** A notebook's workers, and what is stored about them outside its file. */
export interface WorkersView {
  /** The workers its cells may run on, with their health; `refresh` checks all again. */
  catalog(options: { readonly refresh: boolean }): Promise<WorkerCatalog>;
  /**
   * Stores a worker's token in memory only, for its current URL; null deletes it, also for a deleted
   * worker. @throws AppError not_found for an unknown name
   */
  keepToken(name: string, token: string | null): void;
  /**
   * Tries the worker at an address with a cell that does nothing; without a token or transport, with those of
   * the notebook's worker `name`, if this is its address. @throws AppError bad_request for an invalid address
   */
  try(worker: {
    readonly url: string;
    readonly name: string | null;
    readonly token: string | null;
    readonly transport?: 'direct' | 'signed' | null;
    /** The URL at which a worker that fetches its cells reaches this server; null: the server's own URL. */
    readonly serverUrl?: string | null;
  }): Promise<WorkerTrial>;
  readonly ssh: SshWorkersView;
}

/** The notebook's workers that are started through ssh (docs/spec/remote-execution.md, 9). */
interface SshWorkersView {
  /**
   * @throws AppError NOTEBOOK_UNTRUSTED, conflict, forbidden, bad_request with messages that say what to do
   */
  connect(request: SshRequest): Promise<SshTunnelRecord>;
  list(): Promise<readonly SshTunnelRecord[]>;
  /** Null: this program started no worker of that name. */
  log(name: string): Promise<string | null>;
  disconnect(name: string, options: { readonly stopRemote: boolean }): Promise<boolean>;
}

/** Creates the view of one session's workers. */
export function createWorkersView(remote: RemoteWorkers, state: () => SessionState): WorkersView {
  return {
    catalog: ({ refresh }) => workerCatalog(state(), { remote, refresh }),
    keepToken(name, token) {
      const worker = workerNamed(state(), name);
      if (token !== null && worker?.backend !== 'executor') {
        throw new AppError('not_found', `There is no worker '${name}' to store a token for.`);
      }
      const url = worker === null ? null : workerUrl(worker);
      remote.tokens.set(state().notebookId, { name, url }, token);
    },
    try({ url: written, name, token, transport = null, serverUrl = null }) {
      const url = written.trim();
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
        throw new AppError('bad_request', `${url} is not a valid worker address. Use http:// or https://.`);
      }
      const match = name === null ? null : workerNamed(state(), name);
      // The token is never sent to another URL.
      const its = match !== null && workerUrl(match) === url ? match : null;
      const { notebookId } = state();
      const used = token ?? (its === null ? null : remote.tokens.resolve(notebookId, its));
      const options = transport === null ? {} : { transport, svc_url: serverUrl };
      const worker: Worker = {
        name: name ?? new URL(url).host,
        backend: 'executor',
        runtime_id: null,
        config: { ...its?.config, ...options, url, token: used },
      };
      return tryWorker({
        url,
        token: used,
        runCell: (language) => tryCell(remote.executor, { worker, notebookId, language }),
      });
    },
    ssh: {
      async connect(request) {
        const name = request.name ?? nameOfTarget(request.target);
        const refused = whyNotBySsh(state(), name);
        if (refused !== null) throw refused;
        const { notebookId } = state();
        return withBadRequest(() => remote.ssh.connect({ ...request, name, notebookId }));
      },
      list: () => remote.ssh.list(state().notebookId),
      log: (name) => withBadRequest(() => remote.ssh.log(state().notebookId, name)),
      disconnect: (name, options) =>
        withBadRequest(() => remote.ssh.disconnect(state().notebookId, name, options)),
    },
  };
}

/** Why a worker of this name cannot be started through ssh for a notebook. */
function whyNotBySsh(state: SessionState, name: string): AppError | null {
  if (state.closing) return new AppError('conflict', 'The session is closing.');
  const untrusted = whyUntrusted(state);
  if (untrusted !== null) return untrusted;
  if (!state.options.serverWorkers.notebooksDefine) {
    return new AppError('forbidden', 'Only the server’s administrator can configure workers.');
  }
  if (name === LOCAL_WORKER || !WORKER_NAME.test(name)) {
    const message = `'${name}' is not a valid worker name. Use letters, digits, dots, - and _, and start with a letter or digit.`;
    return new AppError('bad_request', message);
  }
  const match = state.file.workers.find((worker) => worker.name === name);
  return match === undefined || isSshWorker(match)
    ? null
    : new AppError(
        'bad_request',
        `A worker '${name}' already exists. Choose another name, or detach it first.`,
      );
}

async function withBadRequest<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof SshFailure ? new AppError('bad_request', error.message) : error;
  }
}
