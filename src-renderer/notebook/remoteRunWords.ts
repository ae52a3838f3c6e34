import type { CellModel } from '../state/notebookModel.ts';
import { WORKER_WORDS } from '../words/workers.ts';

/** The text for a cell's run on a worker: what it waits for, or where it runs (docs/spec/remote-execution.md, 6). */
export function remoteRunWords({ cell, queue }: Pick<CellModel, 'cell' | 'queue'>): string | null {
  const { remote_worker: worker, remote_build_state: state } = cell;
  if (worker === null) return null;
  if (state === 'running') return WORKER_WORDS.runsOn(worker);
  if (state !== 'starting') return WORKER_WORDS.dispatching(worker);
  if (queue?.detail != null) return queue.detail;
  return queue?.position == null
    ? WORKER_WORDS.starting(worker)
    : WORKER_WORDS.queued(queue.position, worker);
}
