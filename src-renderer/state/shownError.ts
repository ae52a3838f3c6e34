/** Which error of a cell its card shows, and from which run it is. */

import type { Cell, CellStatus } from '../../src-shared/wire/cell.ts';

/** The error that a cell's card shows. */
export interface ShownError {
  readonly text: string;
  /** Whether the code has changed since. */
  readonly past: boolean;
  /** Whether a newer run was stopped. */
  readonly older: boolean;
}

/** The error of the last run that was not stopped; null while the cell runs, and if that run succeeded. */
export function shownError(cell: Cell): ShownError | null {
  if (cell.status === 'running') return null;
  const older = cell.stopped_ms !== undefined;
  if (cell.error !== null) return { text: cell.error, past: false, older };
  return cell.past_error === undefined ? null : { text: cell.past_error, past: true, older };
}

/**
 * The errors of a cell after a change of status, as the server's next state will have them: no frame announces that an
 * edit makes an error a past one, or that the old code is back. A cancelled run keeps the last error.
 */
export function errorAt(before: Cell, status: CellStatus): Pick<Cell, 'error' | 'past_error'> {
  const errorOfCell = before.error ?? before.past_error;
  if (errorOfCell === undefined || status === 'ready') return { error: null };
  return status === 'error' ? { error: errorOfCell } : { error: null, past_error: errorOfCell };
}
