/** Requests of the Workers panel: list, add, test, change and remove the machines that run cells of the notebook. */

import { applyOwnSettings } from '../state/applyOwn.ts';
import type { NotebookStore } from '../state/notebookStore.ts';
import { shellBridge } from '../state/shellBridge.ts';
import { toast } from '../ui/toastStore.ts';
import { WORKER_WORDS } from '../words/workers.ts';
import { type AnswerOf, callRoute, RestError } from './rest.ts';

/** Where a worker is, and its token; null: none, or the stored one. */
interface WorkerPlace {
  readonly url: string;
  readonly name: string | null;
  readonly token: string | null;
  /** How cells reach the worker; absent: as defined for the notebook's worker of this name. */
  readonly way?: WorkerTransport;
}

/** Whether a worker is sent its cells, or fetches them from this server; null: at the server's own URL. */
interface WorkerTransport {
  readonly transport: 'direct' | 'signed';
  readonly serverUrl: string | null;
}

/** The notebook's workers. @throws RestError as every method */
export interface Workers {
  /** Defines a worker in the notebook's file; its token stays in memory only. */
  readonly attach: (
    worker: WorkerPlace & { readonly name: string; readonly pickles: boolean },
  ) => Promise<void>;
  /** Changes how cells reach a worker of the notebook; the rest of its definition stays. */
  readonly setTransport: (name: string, way: WorkerTransport) => Promise<void>;
  /** Installs a worker on a machine by ssh and defines it; if `signal` is aborted, everything is removed again. */
  readonly connect: (
    worker: { readonly target: string; readonly name: string },
    signal?: AbortSignal,
  ) => Promise<void>;
  /** Removes a worker from the notebook; one that was installed by ssh is also stopped. */
  readonly detach: (worker: { readonly name: string; readonly bySsh: boolean }) => Promise<void>;
  /** The latest log output of a worker that was installed by ssh. */
  readonly log: (name: string) => Promise<string>;
  /** Makes a worker the default for cells that name none. */
  readonly choose: (name: string) => Promise<void>;
  /** Checks the state of every worker again, ignoring cached answers. */
  readonly refresh: () => Promise<unknown>;
  /** Sends the server the keychain's tokens of workers whose URL has not changed since the token was stored. */
  readonly recallTokens: () => Promise<void>;
  /**
   * Calls the listener after `recallTokens`, because earlier answers about tokens are then outdated.
   * @returns a function that unsubscribes
   */
  readonly onRecalled: (listener: () => void) => () => void;
  /** Workers whose tokens are in the system's keychain; none in a browser. */
  readonly inKeychain: () => Promise<readonly string[]>;
  readonly test: (worker: WorkerPlace) => Promise<AnswerOf<'testWorker'>>;
}

export function createWorkers(store: NotebookStore): Workers {
  const recallListeners = new Set<() => void>();
  const notebook = () => store.getState().model.meta?.id ?? '';
  const params = () => ({ sid: store.getState().sessionId });
  /** Reads the current workers, so that a change is never based on an old list. */
  const defined = () => callRoute('getSession', { params: params() });
  const choose = (worker: string) => callRoute('setWorker', { params: params(), body: { worker } });
  /** Updates the view after a change: no frame announces settings, so they are requested. */
  const fold = async (): Promise<void> => {
    const { cells, worker, workers } = await defined();
    store.setState({ model: applyOwnSettings(store.getState().model, { cells, worker, workers }) });
  };
  return {
    async attach({ name, url, token, pickles, way }) {
      const { workers } = await defined();
      const config = { url, ...configOf(way), ...(pickles ? {} : { pickles: 'refuse' }) };
      const worker = { name, backend: 'executor' as const, config };
      await callRoute('setWorkers', { params: params(), body: { workers: [...workers, worker] } });
      if (token !== null) {
        await callRoute('setWorkerToken', { params: params(), body: { name, token } });
        await shellBridge()?.keepWorkerToken({ notebook: notebook(), worker: name, url, token });
      }
      await fold();
    },
    async setTransport(name, way) {
      const { workers } = await defined();
      const changed = workers.map((one) =>
        one.name === name ? { ...one, config: withWay(one.config, way) } : one,
      );
      await callRoute('setWorkers', { params: params(), body: { workers: changed } });
      await fold();
    },
    async connect({ target, name }, signal) {
      const call = { params: params(), body: { ssh_target: target, name } };
      await callRoute('connectSshWorker', call, signal === undefined ? {} : { signal: signal });
      await fold();
    },
    async detach({ name, bySsh }) {
      if (bySsh) {
        const query = { stop_remote: 'true' } as const;
        await callRoute('disconnectSshWorker', { params: { ...params(), name }, query });
        await fold();
        return;
      }
      const { workers, worker } = await defined();
      const others = workers.filter((one) => one.name !== name);
      await callRoute('setWorkers', { params: params(), body: { workers: others } });
      // A worker attached later under this name must not get the old token.
      await callRoute('setWorkerToken', { params: params(), body: { name, token: null } });
      await shellBridge()?.keepWorkerToken({ notebook: notebook(), worker: name, url: '', token: null });
      // A default worker that is not defined would keep every cell from running.
      if (worker === name) await choose('local');
      await fold();
    },
    async choose(name) {
      await choose(name);
      await fold();
    },
    async recallTokens() {
      const tokens = (await shellBridge()?.workerTokens(notebook())) ?? [];
      if (tokens.length === 0) return;
      const { workers } = await defined();
      for (const { worker, url, token } of tokens) {
        if (!workers.some(({ name, config }) => name === worker && config['url'] === url)) continue;
        await callRoute('setWorkerToken', { params: params(), body: { name: worker, token } });
      }
      for (const listener of recallListeners) listener();
    },
    onRecalled(listener) {
      recallListeners.add(listener);
      return () => void recallListeners.delete(listener);
    },
    inKeychain: async () =>
      ((await shellBridge()?.workerTokens(notebook())) ?? []).map(({ worker }) => worker),
    log: async (name) => (await callRoute('workerLog', { params: params(), query: { name } })).text,
    refresh: () => callRoute('listWorkers', { params: params(), query: { refresh: 'true' } }),
    test({ url, name, token, way }) {
      const transport = way === undefined ? {} : { transport: way.transport, svc_url: way.serverUrl };
      const body = { url, token, ...(name === null ? {} : { name }), ...transport };
      return callRoute('testWorker', { params: params(), body });
    },
  };
}

/** An existing definition with another transport. */
function withWay<T extends Readonly<Record<string, unknown>>>(config: T, way: WorkerTransport) {
  const { transport: _, svc_url: __, ...rest } = config;
  return { ...rest, ...configOf(way) };
}

/** The transport in the form of a worker's definition. */
function configOf(way: WorkerTransport | undefined) {
  const { transport, serverUrl } = way ?? { transport: 'direct', serverUrl: null };
  return { transport, ...(serverUrl === null ? {} : { svc_url: serverUrl }) };
}

/** Sends tokens again to a server that lost them in a restart, because they are in no file; a failure is reported. */
export function recallTokens(workers: Workers): void {
  workers.recallTokens().catch((error: unknown) => {
    if (!(error instanceof RestError)) throw error;
    toast(WORKER_WORDS.notRecalled(error.message), { tone: 'warn' });
  });
}
