import { AppError } from '../../src-shared/wire/errors.ts';
import type { WorkerCatalog } from '../../src-shared/wire/workers.ts';
import type { RemoteWorkers } from '../exec/remote/remoteWorkers.ts';
import { tryWorker, type WorkerTrial } from '../exec/remote/tryWorker.ts';
import type { SessionState } from './state.ts';
import { workerCatalog } from './workerCatalog.ts';
import { workerNamed } from './workers.ts';

/** What a notebook shows and keeps of its workers beside what its file says. */
export interface WorkersView {
  /** The workers its cells may run on, and how each is; `refresh` asks every one anew. */
  catalog(options: { readonly refresh: boolean }): Promise<WorkerCatalog>;
  /** Keeps a worker's token in memory alone; null forgets it. @throws AppError not_found for a name nobody has */
  keepToken(name: string, token: string | null): void;
  /**
   * Asks the worker at an address how it is and whether it takes the token; without one, that of the notebook's
   * worker `name`. @throws AppError bad_request for what is no address
   */
  try(worker: {
    readonly url: string;
    readonly name: string | null;
    readonly token: string | null;
  }): Promise<WorkerTrial>;
}

export function createWorkersView(remote: RemoteWorkers, state: () => SessionState): WorkersView {
  return {
    catalog: ({ refresh }) => workerCatalog(state(), { remote, refresh }),
    keepToken(name, token) {
      if (workerNamed(state(), name)?.backend !== 'executor') {
        throw new AppError('not_found', `There is no worker '${name}' to keep a token of.`);
      }
      remote.tokens.set(state().notebookId, name, token);
    },
    try({ url, name, token }) {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
        throw new AppError('bad_request', `${url} is no http:// or https:// address of a worker.`);
      }
      const known = name === null ? null : workerNamed(state(), name);
      const own = known === null ? null : remote.tokens.resolve(state().notebookId, known);
      return tryWorker({ url, token: token ?? own });
    },
  };
}
