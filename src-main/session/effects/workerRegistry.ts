/** Stores the list of workers that the server offers to all notebooks, which an administrator edits. */

import { AppError } from '../../../src-shared/wire/errors.ts';
import type { WorkerEntry } from '../../../src-shared/wire/workers.ts';
import type { StoredWorkers } from '../../artifacts/storedWorkers.ts';
import type { RemoteWorkers } from '../../exec/remote/remoteWorkers.ts';
import { readServerWorkers } from '../../notebook/serverWorkers.ts';
import type { ServerWorker, ServerWorkers } from '../../notebook/workers.ts';
import type { Logger } from '../../observe/log.ts';
import { healthUrlOf, serverWorkerCatalog } from '../view/workerCatalog.ts';

/**
 * The workers a server offers to every notebook (docs/spec/remote-execution.md, 7, 8): the list set through the admin
 * routes, which is in the artifact database; before that, the configured list. Edits are serialized in the
 * database, so that two servers with one artifact folder do not overwrite each other's changes.
 */
export interface WorkerRegistry {
  /** The workers as one object, which stays the same until the list changes. */
  readonly offered: () => ServerWorkers;
  /** @throws AppError bad_request, conflict, not_found with a message, as the edits below; StoreError */
  edit(edit: (before: readonly ServerWorker[]) => readonly ServerWorker[]): Promise<void>;
  /** Reads the list again. */
  reload(): Promise<void>;
  catalog(options: { readonly refresh: boolean }): Promise<readonly WorkerEntry[]>;
  /** Checks one worker's health again. @throws AppError not_found */
  ask(name: string): Promise<void>;
  onChange(listener: () => void): void;
}

interface RegistryOptions {
  readonly kept: StoredWorkers;
  /** `notebook_workers` of the transforms. */
  readonly configured: readonly ServerWorker[];
  /** False on a shared server. */
  readonly notebooksDefine: boolean;
  readonly remote: Pick<RemoteWorkers, 'health' | 'tokens'>;
  readonly log: Pick<Logger, 'error'>;
}

/** Opens the list of a server's workers. */
export async function openWorkerRegistry(options: RegistryOptions): Promise<WorkerRegistry> {
  const { kept: storedWorkers, configured, notebooksDefine, remote, log } = options;
  const listeners: (() => void)[] = [];
  let lastOffer: ServerWorkers = { notebooksDefine, workers: configured };

  function offer(workers: readonly ServerWorker[]): void {
    if (JSON.stringify(workers) === JSON.stringify(lastOffer.workers)) return;
    lastOffer = { notebooksDefine, workers };
    for (const listener of listeners) listener();
  }

  /** @throws AppError if the stored value is not a list of workers */
  const listOf = (stored: unknown): readonly ServerWorker[] =>
    stored === null ? configured : checked(stored);

  try {
    offer(listOf(await storedWorkers.read()));
  } catch (error) {
    // Notebooks open without the server's workers; a cell that names one reports it.
    log.error({ err: error }, 'the list of workers could not be read; the configured ones are offered');
  }
  return {
    offered: () => lastOffer,
    async edit(edit) {
      offer(await storedWorkers.change((stored) => checked(edit(listOf(stored)))));
    },
    reload: async () => offer(listOf(await storedWorkers.read())),
    catalog: ({ refresh }) => serverWorkerCatalog(lastOffer.workers, { remote, refresh }),
    async ask(name) {
      const url = healthUrlOf(named(lastOffer.workers, name));
      if (url !== null) await remote.health.look([url], { refresh: true });
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/**
 * A list of workers as a request sends it, validated. @throws AppError bad_request: a duplicate name, an invalid URL
 */
function checked(value: unknown): readonly ServerWorker[] {
  const workers = readServerWorkers(value);
  if ('problem' in workers) throw new AppError('bad_request', workers.problem);
  return workers;
}

/** @throws AppError not_found */
function named(workers: readonly ServerWorker[], name: string): ServerWorker {
  const match = workers.find((worker) => worker.name === name);
  if (match === undefined) throw new AppError('not_found', `The server has no worker '${name}'.`);
  return match;
}

/** @throws AppError conflict */
function refuseTaken(workers: readonly ServerWorker[], name: string): void {
  if (!workers.some((worker) => worker.name === name)) return;
  throw new AppError('conflict', `The server already has a worker '${name}'.`);
}

/** @throws AppError conflict for a name in use */
export function withWorker(before: readonly ServerWorker[], added: ServerWorker): readonly ServerWorker[] {
  refuseTaken(before, added.name);
  return [...before, added];
}

/**
 * Replaces the entry of a name, in its place. @throws AppError not_found; conflict if its new name is in use
 */
export function withChanged(
  before: readonly ServerWorker[],
  name: string,
  change: (worker: ServerWorker) => ServerWorker,
): readonly ServerWorker[] {
  const after = change(named(before, name));
  if (after.name !== name) refuseTaken(before, after.name);
  return before.map((worker) => (worker.name === name ? after : worker));
}

/** @throws AppError not_found */
export function withoutWorker(before: readonly ServerWorker[], name: string): readonly ServerWorker[] {
  const removed = named(before, name);
  return before.filter((worker) => worker !== removed);
}
