/** Determines the worker that a cell runs on, and why it cannot run there. */

import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { Language } from '../../../src-shared/wire/cell.ts';
import type { HintReason } from '../../exec/remote/health/hints.ts';
import type { Worker } from '../../notebook/file/notebookFile.ts';
import { LOCAL_WORKER, resolveWorker } from '../../notebook/workers.ts';
import type { Effect } from '../state/events.ts';
import type { CellState, SessionState } from '../state/state.ts';
import { workerOf } from './expected.ts';

/** Whether cells of a language run on workers; the server itself makes the requests of the others. */
function goesToWorkers(language: Language): boolean {
  return LANGUAGES[language].runsCode;
}

/** A worker by its name, as this notebook may use it; null if it may not (docs/spec/remote-execution.md, 7, 8). */
export function workerNamed(state: SessionState, name: string): Worker | null {
  return resolveWorker(name, { notebook: state.file.workers, server: state.options.serverWorkers });
}

/** The remote worker that a cell runs on; null for cells of this machine, and if there is no such worker. */
export function remoteWorkerOf(state: SessionState, cell: CellState): Worker | null {
  if (!goesToWorkers(cell.language)) return null;
  const worker = workerNamed(state, workerOf(state, cell));
  return worker?.backend === 'executor' ? worker : null;
}

/** Why a cell cannot run on the worker it names; null if it can. */
export function whyNoWorker(state: SessionState, cell: CellState): string | null {
  if (!goesToWorkers(cell.language)) return null;
  const name = workerOf(state, cell);
  if (workerNamed(state, name) !== null) return null;
  const wayOut = state.options.serverWorkers.notebooksDefine
    ? 'add it to notebook.toml (svc worker add), or remove @worker to run the cell on this machine.'
    : 'this server does not offer it. Ask the server’s administrator, or remove @worker.';
  return `Execution failed: worker '${name}' is unknown; ${wayOut}`;
}

/** Tells the workers of these cells that a run may come soon (docs/spec/remote-execution.md, 5). */
export function hintEffects(
  state: SessionState,
  cells: Iterable<CellState | undefined>,
  reason: HintReason,
): readonly Effect[] {
  if (!mayBeRemote(state)) return [];
  const workers = new Map<string, Worker>();
  for (const cell of cells) {
    const worker = cell === undefined ? null : remoteWorkerOf(state, cell);
    if (worker !== null) workers.set(worker.name, worker);
  }
  return [...workers.values()].map((worker) => ({ type: 'hint_worker', worker, reason }));
}

/** Most notebooks have no worker but this machine: they skip the rest. */
function mayBeRemote({ file, options }: SessionState): boolean {
  return file.workers.length > 0 || options.serverWorkers.workers.length > 0;
}

/** The names of all workers in use: the notebook's own and its cells'. */
export function workersInUse(state: SessionState): ReadonlySet<string> {
  const names = new Set<string>([state.file.worker ?? LOCAL_WORKER]);
  for (const cell of state.cells.values()) if (goesToWorkers(cell.language)) names.add(workerOf(state, cell));
  return names;
}
