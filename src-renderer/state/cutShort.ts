import type { NotebookModel } from './notebookModel.ts';

/** The cells that run, as this window knows it. */
export function runningCells({ order, cells }: NotebookModel): readonly string[] {
  return order.filter((id) => cells[id]?.cell.status === 'running');
}

/**
 * Of the cells that ran in a session that is gone, those that are there and made no result: the server ended under
 * them (WI-82).
 */
export function cutShort(ran: readonly string[], { cells }: NotebookModel): readonly string[] {
  return ran.filter((id) => {
    const status = cells[id]?.cell.status;
    return status === 'idle' || status === 'stale';
  });
}
