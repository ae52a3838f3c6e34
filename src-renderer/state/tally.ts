/** Counts the cells of a notebook by status, and lists those that are not up to date. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { CellStatus } from '../../src-shared/wire/cell.ts';
import type { NotebookModel } from './notebookModel.ts';
import { perModel } from './perModel.ts';

/** The number of cells per status; text cells count only in `total`. */
export interface Tally {
  readonly running: number;
  readonly stale: number;
  readonly failed: number;
  readonly idle: number;
  readonly ready: number;
  readonly total: number;
  /** Index signature, so that the parts can be compared one by one. */
  readonly [part: string]: number;
}

/** The count that a status belongs to. */
export const TALLY_PART: Readonly<Record<CellStatus, 'running' | 'stale' | 'failed' | 'idle' | 'ready'>> = {
  running: 'running',
  stale: 'stale',
  error: 'failed',
  idle: 'idle',
  ready: 'ready',
};

/** The counts of a model's cells; the same object while the model is the same. */
export const tally = perModel(tallied);

function tallied(model: NotebookModel): Tally {
  const counts = { running: 0, stale: 0, failed: 0, idle: 0, ready: 0, total: model.order.length };
  for (const id of model.order) {
    const cell = model.cells[id]?.cell;
    if (cell !== undefined && LANGUAGES[cell.language].runs && cell.variant_active)
      counts[TALLY_PART[cell.status]] += 1;
  }
  return counts;
}

/**
 * Cells whose result a run would change (stale, not run, or failed), each after the cells it reads from, otherwise in
 * notebook order. Empty cells are left out.
 */
export const notUpToDate = perModel(outOfDate);

function outOfDate(model: NotebookModel): readonly string[] {
  const outdatedIds = new Set(
    model.order.filter((id) => {
      const cell = model.cells[id]?.cell;
      if (cell === undefined || !LANGUAGES[cell.language].runs || cell.source.trim() === '') return false;
      // An inactive variant never runs.
      if (!cell.variant_active) return false;
      return cell.status === 'stale' || cell.status === 'idle' || cell.status === 'error';
    }),
  );
  const sorted: string[] = [];
  const visited = new Set<string>();
  for (const id of model.order) visit(id);
  return sorted;

  /** Depth-first without recursion, because a chain of thousands of cells would overflow the stack. */
  function visit(start: string): void {
    const stack: { id: string; done: boolean }[] = [{ id: start, done: false }];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (top.done) {
        if (outdatedIds.has(top.id)) sorted.push(top.id);
        continue;
      }
      if (visited.has(top.id)) continue;
      visited.add(top.id);
      stack.push({ id: top.id, done: true });
      const upstream = model.cells[top.id]?.cell.upstream_ids ?? [];
      for (const id of [...upstream].reverse()) if (!visited.has(id)) stack.push({ id, done: false });
    }
  }
}
