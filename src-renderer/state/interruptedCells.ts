import type { NotebookModel } from './notebookModel.ts';

/** The cells that run, as this window knows it. */
export function runningCells({ order, cells }: NotebookModel): readonly string[] {
  return order.filter((id) => cells[id]?.cell.status === 'running');
}

/**
 * Of the cells that were running in a lost session, those that still exist and have no result: the server ended during
 * their run (WI-82).
 */
export function interruptedCells(ran: readonly string[], { cells }: NotebookModel): readonly string[] {
  return ran.filter((id) => {
    const status = cells[id]?.cell.status;
    return status === 'idle' || status === 'stale';
  });
}
