/** Lists the workers of a notebook or a server with their health, for the window. */

import type { WorkerCatalog, WorkerEntry } from '../../../src-shared/wire/workers.ts';
import { workerUrls } from '../../exec/remote/call/workerUrls.ts';
import { type KnownHealth, NEVER_CHECKED } from '../../exec/remote/health/workerHealth.ts';
import type { RemoteWorkers } from '../../exec/remote/remoteWorkers.ts';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import { LOCAL_WORKER, type ServerWorker, transportOf, workerUrl } from '../../notebook/workers.ts';
import { workersInUse } from '../keys/workers.ts';
import type { SessionState } from '../state/state.ts';
import { whyUntrusted } from '../state/untrusted.ts';

interface ListedWorker {
  readonly worker: Worker;
  readonly source: WorkerEntry['source'];
  readonly allowed: boolean;
  readonly enabled: boolean;
}

/**
 * Every worker of a notebook with its health: the built-in one, the notebook's, the server's, and undefined
 * names in use. Health is checked only for this catalog (docs/spec/remote-execution.md, 6).
 */
export async function workerCatalog(
  state: SessionState,
  {
    remote,
    refresh,
  }: { readonly remote: Pick<RemoteWorkers, 'health' | 'tokens'>; readonly refresh: boolean },
): Promise<WorkerCatalog> {
  const workers = await catalogWithHealth(listedWorkers(state), {
    remote,
    refresh,
    mayAsk: ({ source }) => source === 'server' || whyUntrusted(state) === null,
    tokenSource: (worker) => tokenSourceOf(state.notebookId, worker, remote),
  });
  const { notebooksDefine } = state.options.serverWorkers;
  return { workers, definitions_editable: notebooksDefine, health_checked_at: Date.now() };
}

/**
 * The server's own workers and the built-in one, for the server's administrator (docs/spec/remote-execution.md, 7, 8).
 */
export async function serverWorkerCatalog(
  workers: readonly ServerWorker[],
  {
    remote,
    refresh,
  }: { readonly remote: Pick<RemoteWorkers, 'health' | 'tokens'>; readonly refresh: boolean },
): Promise<readonly WorkerEntry[]> {
  const listed = [...builtinAndServer(workers).values()];
  const tokenSource = (worker: Worker) => tokenSourceOf(NO_NOTEBOOK, worker, remote);
  return catalogWithHealth(listed, { remote, refresh, tokenSource });
}

/**
 * Tokens in memory belong to notebooks; the server's workers have theirs in their definition or the
 * environment.
 */
const NO_NOTEBOOK = '';

async function catalogWithHealth(
  listed: readonly ListedWorker[],
  {
    remote,
    refresh,
    tokenSource,
    mayAsk = () => true,
  }: {
    readonly remote: Pick<RemoteWorkers, 'health'>;
    readonly refresh: boolean;
    /** Whether the worker may be called: one that an untrusted folder names is not. */
    readonly mayAsk?: (one: ListedWorker) => boolean;
    readonly tokenSource: (worker: Worker) => WorkerEntry['token_source'];
  },
): Promise<WorkerEntry[]> {
  const urls = listed.filter(mayAsk).flatMap(({ worker }) => healthUrlOf(worker) ?? []);
  const health = await remote.health.look(urls, { refresh });
  return listed.map((one) => entryOf(one, health, tokenSource(one.worker)));
}

function builtinAndServer(workers: readonly ServerWorker[]): Map<string, ListedWorker> {
  const here: Worker = { name: LOCAL_WORKER, backend: 'local', runtime_id: null, config: {} };
  const listed = new Map<string, ListedWorker>();
  listed.set(LOCAL_WORKER, { worker: here, source: 'builtin', allowed: true, enabled: true });
  for (const { enabled, ...worker } of workers) {
    listed.set(worker.name, { worker, source: 'server', allowed: enabled, enabled });
  }
  return listed;
}

function listedWorkers(state: SessionState): readonly ListedWorker[] {
  const { notebooksDefine, workers } = state.options.serverWorkers;
  const listed = builtinAndServer(workers);
  for (const worker of state.file.workers) {
    const isTheServers = !notebooksDefine && listed.has(worker.name);
    if (worker.name === LOCAL_WORKER || isTheServers) continue;
    listed.set(worker.name, { worker, source: 'notebook', allowed: notebooksDefine, enabled: true });
  }
  for (const name of workersInUse(state)) {
    if (listed.has(name)) continue;
    const worker: Worker = { name, backend: 'executor', runtime_id: null, config: {} };
    listed.set(name, { worker, source: 'referenced', allowed: false, enabled: true });
  }
  return [...listed.values()];
}

/** The URL for a worker's health check; null for workers that need none. */
export function healthUrlOf(worker: Worker): string | null {
  const url = worker.backend === 'executor' ? workerUrl(worker) : null;
  return url !== null && /^https?:/.test(url) && URL.canParse(url) ? workerUrls(url).health : null;
}

function healthOf({ worker, source }: ListedWorker, health: ReadonlyMap<string, KnownHealth>): KnownHealth {
  if (source === 'referenced') {
    return { ...NEVER_CHECKED, health: 'unavailable', last_error: 'No worker with this name is defined.' };
  }
  if (worker.backend === 'local' || transportOf(worker) === 'embedded')
    return { ...NEVER_CHECKED, health: 'healthy' };
  const url = healthUrlOf(worker);
  if (url !== null) return health.get(url) ?? NEVER_CHECKED;
  return {
    ...NEVER_CHECKED,
    health: 'unavailable',
    last_error: 'The worker has no address (config.url).',
  };
}

function entryOf(
  listed: ListedWorker,
  healthByUrl: ReadonlyMap<string, KnownHealth>,
  tokenSource: WorkerEntry['token_source'],
): WorkerEntry {
  const { worker, source, allowed, enabled } = listed;
  const { name, backend, runtime_id } = worker;
  const config = Object.fromEntries(
    Object.entries(worker.config).filter(([key, value]) => key !== 'token' && value !== null),
  );
  const transport =
    backend === 'local' ? 'local' : workerUrl(worker) === null ? 'executor' : transportOf(worker);
  const health_url = healthUrlOf(worker);
  const { health_history, ...health } = healthOf(listed, healthByUrl);
  return {
    name,
    backend,
    runtime_id,
    config,
    source,
    allowed,
    enabled,
    transport,
    health_url,
    ...health,
    health_history: [...health_history],
    ...(tokenSource === undefined ? {} : { token_source: tokenSource }),
  };
}

function tokenSourceOf(
  notebookId: string,
  worker: Worker,
  { tokens }: Pick<RemoteWorkers, 'tokens'>,
): WorkerEntry['token_source'] {
  if (worker.backend !== 'executor') return undefined;
  const { token, token_env } = worker.config;
  const without = { name: worker.name, config: {} };
  if (typeof token_env === 'string' && tokens.resolve('', { ...without, config: { token_env } }) !== null)
    return 'env';
  if (typeof token === 'string' && token !== '') return 'file';
  return tokens.has(notebookId, worker) ? 'memory' : 'none';
}
