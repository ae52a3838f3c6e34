/** Estimates the remaining time of running and queued cells from the last duration of each. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { NotebookModel } from './notebookModel.ts';

/** The estimated remaining time of running and queued cells. */
interface RemainingTime {
  readonly remainingMs: number;
  /** Cells that never ran and so are missing from the estimate. */
  readonly untimed: number;
  /** The position in the current run of several cells; null for a run of one cell. */
  readonly place: { readonly current: number; readonly total: number } | null;
}

/**
 * The remaining time of the current run and the queue, from the last duration of each cell. Null while nothing runs,
 * and if one cell runs and none is queued, because its card shows a clock.
 * @param nowMs by this window's clock
 */
export function remainingTime(model: NotebookModel, nowMs: number): RemainingTime | null {
  const running = model.order.find((id) => model.cells[id]?.cell.status === 'running');
  const { rest, queue } = model;
  if (running === undefined || (rest === null && queue.length === 0)) return null;
  let remainingMs = 0;
  let untimed = 0;
  const add = (id: string): void => {
    const took = model.cells[id]?.cell.last_duration_ms ?? null;
    if (took === null) untimed += 1;
    else remainingMs += took;
  };
  if (rest === null) add(running);
  else [remainingMs, untimed] = [rest.remaining_ms, rest.untimed];
  const since = rest?.heardAt ?? model.cells[running]?.runningSince ?? nowMs;
  remainingMs = Math.max(0, remainingMs - Math.max(0, nowMs - since));
  const isCode = (id: string): boolean => {
    const cell = model.cells[id]?.cell;
    return cell !== undefined && LANGUAGES[cell.language].runs && cell.variant_active;
  };
  for (const { cell_id } of queue) {
    if (cell_id === null) for (const id of model.order.filter(isCode)) add(id);
    else add(cell_id);
  }
  const place = rest === null ? null : { current: rest.completed + 1, total: rest.total };
  return { remainingMs, untimed, place };
}
