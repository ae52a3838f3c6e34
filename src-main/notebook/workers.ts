/** Checks and resolves the workers that notebook.toml and the server define. */

import type { NotebookFile, Worker } from './file/notebookFile.ts';

/** Valid names of workers (docs/spec/notebook-file.md, 3.5). */
export const WORKER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
/** The built-in worker: cells run on the program's own machine. */
export const LOCAL_WORKER = 'local';

/** How cells reach a worker: pushed to it, pulled by it, or run on this machine through the same bundle. */
type RemoteTransport = 'direct' | 'signed' | 'embedded';

/**
 * Valid transports in a definition (docs/spec/remote-execution.md, 1); `manifest` and `build` are other names of the
 * pull model.
 */
const TRANSPORTS: readonly string[] = ['direct', 'signed', 'manifest', 'build'];

export interface ServerWorker extends Worker {
  readonly enabled: boolean;
}

/** The server's own workers. */
export interface ServerWorkers {
  /** Whether notebooks may define workers. False on a shared server, where their definitions are ignored. */
  readonly notebooksDefine: boolean;
  readonly workers: readonly ServerWorker[];
}

export const NO_SERVER_WORKERS: ServerWorkers = { notebooksDefine: true, workers: [] };

const BUILTIN: Worker = { name: LOCAL_WORKER, backend: 'local', runtime_id: null, config: {} };

/** The worker of a name, or null if no worker of that name may be used here (docs/spec/remote-execution.md, 7, 8). */
export function resolveWorker(
  name: string,
  { notebook, server }: { readonly notebook: NotebookFile['workers']; readonly server: ServerWorkers },
): Worker | null {
  if (name === LOCAL_WORKER) return BUILTIN;
  const own = server.notebooksDefine ? notebook.find((worker) => worker.name === name) : undefined;
  return own ?? server.workers.find((worker) => worker.name === name && worker.enabled) ?? null;
}

/** The URL of a worker; null if its definition has none. */
export function workerUrl({ config }: Pick<Worker, 'config'>): string | null {
  const url = config['url'];
  return typeof url === 'string' && url.trim() !== '' ? url.trim() : null;
}

/** How cells reach a worker; an unknown transport counts as `direct` (docs/spec/remote-execution.md, 1). */
export function transportOf(worker: Pick<Worker, 'config'>): RemoteTransport {
  if (workerUrl(worker)?.startsWith('embedded://') === true) return 'embedded';
  const transport = worker.config['transport'];
  return transport === 'signed' || transport === 'manifest' || transport === 'build' ? 'signed' : 'direct';
}

/**
 * Whether values that run code when loaded are refused from the worker (`config.pickles = "refuse"`; beyond the
 * specification).
 */
export function refusesPickles({ config }: Pick<Worker, 'config'>): boolean {
  return config['pickles'] === 'refuse';
}

/**
 * The problem of a list of definitions; null if there is none. `local` is built in and cannot be defined
 * (docs/spec/remote-execution.md, 7, 8).
 */
export function whyNoWorkers(workers: readonly Worker[]): string | null {
  const names = new Set<string>();
  for (const worker of workers) {
    const { name, backend, config } = worker;
    if (name === LOCAL_WORKER) return "The worker 'local' is built in and cannot be defined.";
    if (!WORKER_NAME.test(name)) {
      return `'${name}' is not a valid worker name. Use letters, digits, dots, - and _, and start with a letter or digit.`;
    }
    if (names.has(name)) return `Two workers are named '${name}'. Rename one of them.`;
    names.add(name);
    const transport = config['transport'];
    if (
      transport !== undefined &&
      transport !== null &&
      (typeof transport !== 'string' || !TRANSPORTS.includes(transport))
    ) {
      return `Worker '${name}': transport ${JSON.stringify(transport)} is not one of ${TRANSPORTS.join(', ')}.`;
    }
    const pickles = config['pickles'];
    if (pickles !== undefined && pickles !== 'refuse' && pickles !== 'accept') {
      return `Worker '${name}': pickles ${JSON.stringify(pickles)} is neither "refuse" nor "accept".`;
    }
    const problem = backend === 'executor' ? whyNoUrl(workerUrl(worker)) : null;
    if (problem !== null) return `Worker '${name}': ${problem}`;
  }
  return null;
}

function whyNoUrl(url: string | null): string | null {
  if (url === null) return 'config.url is missing. Set it to the address of the worker.';
  const isKnown = /^(https?|embedded):\/\/[^/\s]/.test(url) && URL.canParse(url);
  return isKnown ? null : `${url} is not a valid address. Use http:// or https://.`;
}

/** Marks the definition of a worker that was started through ssh (docs/spec/remote-execution.md, 9). */
const SSH_RUNTIME = 'ssh:';

export function isSshWorker({ runtime_id }: Pick<Worker, 'runtime_id'>): boolean {
  return runtime_id?.startsWith(SSH_RUNTIME) === true;
}

/**
 * The definition of a worker that was started through ssh; its port may change without making a cell stale.
 */
export function sshWorker(name: string, { target, url }: { target: string; url: string }): Worker {
  const config = { url, transport: 'direct' };
  return { name, backend: 'executor', runtime_id: `${SSH_RUNTIME}${target}`, config };
}
