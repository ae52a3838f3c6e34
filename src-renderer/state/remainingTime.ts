/** Estimates the remaining time of runs. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { NotebookModel } from './notebookModel.ts';

/** The estimated rest of everything that runs or waits. */
interface RemainingTime {
  readonly remainingMs: number;
  /** Cells that never ran and so are missing from the estimate. */
  readonly untimed: number;
  /** Of the run of several cells that is on; null for a single one. */
  readonly place: { readonly current: number; readonly total: number } | null;
}

/**
 * What is left of the present run and of the queue, from the last run of each cell; null while nothing runs, and where
 * only one cell runs and none waits, whose own clock says enough.
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
