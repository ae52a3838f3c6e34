/** The cells whose run was lost because the server ended, for the note shown after the reconnect. */

import type { NotebookModel } from './notebookModel.ts';

/** The cells that are running, as far as this window knows. */
export function runningCells({ order, cells }: NotebookModel): readonly string[] {
  return order.filter((id) => cells[id]?.cell.status === 'running');
}

/**
 * The cells that were running in a lost session, still exist and have no result: the server ended during their run
 * (rule WI-82).
 * @param ran the cells that were running
 */
export function interruptedCells(ran: readonly string[], { cells }: NotebookModel): readonly string[] {
  return ran.filter((id) => {
    const status = cells[id]?.cell.status;
    return status === 'idle' || status === 'stale';
  });
}
