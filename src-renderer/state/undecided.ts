/** Undecided cells: their typed text was refused, and the user has not yet chosen between it and the server's text. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { CellModel } from './notebookModel.ts';
import type { NotebookView } from './notebookStore.ts';
import { notUpToDate, TALLY_PART, type Tally, tally } from './tally.ts';

/**
 * Undecided cells show a refused draft. The text that the user sees is not the server's until the user decides, so what
 * the server reports about such a cell concerns another text.
 */
type Parts = Pick<NotebookView, 'model' | 'drafts'>;

export function hasRefusedDraft({ drafts }: Pick<Parts, 'drafts'>, id: string): boolean {
  return drafts[id]?.state === 'refused';
}

/** The undecided cells, in notebook order. */
export function undecidedCells(view: Parts): readonly string[] {
  const ids = Object.keys(view.drafts).filter((id) => hasRefusedDraft(view, id));
  return ids.length < 2 ? ids : view.model.order.filter((id) => ids.includes(id));
}

/** The undecided cells with code. */
export function undecidedCode(view: Parts): readonly string[] {
  const { cells } = view.model;
  return undecidedCells(view).filter((id) => {
    const cell = cells[id]?.cell;
    return cell !== undefined && LANGUAGES[cell.language].runs && cell.variant_active;
  });
}

/** The first undecided cell that a run of this cell would include: itself, or a cell above that is not up to date. */
export function undecidedBefore(view: Parts, id: string): string | undefined {
  if (undecidedCells(view).length === 0) return undefined;
  const visited = new Set<string>();
  const pendingIds = [id];
  for (let next = pendingIds.pop(); next !== undefined; next = pendingIds.pop()) {
    if (hasRefusedDraft(view, next)) return next;
    visited.add(next);
    for (const up of view.model.cells[next]?.cell.upstream_ids ?? []) {
      if (!visited.has(up) && view.model.cells[up]?.cell.status !== 'ready') pendingIds.push(up);
    }
  }
  return undefined;
}

/** How many cells are not up to date, counting the displayed texts. */
export function countNotUpToDate(view: Parts): number {
  const outdatedIds = notUpToDate(view.model);
  return outdatedIds.length + undecidedCode(view).filter((id) => !outdatedIds.includes(id)).length;
}

/** How many cells have each status, counting the displayed texts. */
export function shownTally(view: Parts): Tally {
  const ownTally = tally(view.model);
  const others = undecidedCode(view).filter((id) => view.model.cells[id] !== shownModel(view, id));
  if (others.length === 0) return ownTally;
  const counts = { ...ownTally };
  for (const id of others) {
    counts[TALLY_PART[view.model.cells[id]?.cell.status ?? 'idle']] -= 1;
    counts.idle += 1;
  }
  return counts;
}

/**
 * A cell as shown: for a cell with a refused draft, status and results of the saved text are marked as those of another
 * text.
 */
export function shownModel(view: Parts, id: string): CellModel | undefined {
  const model = view.model.cells[id];
  return model !== undefined && hasRefusedDraft(view, id) ? ofAnotherText(model) : model;
}

/** Caches the changed models, so that the same object is returned while the server's model is the same. */
const others = new WeakMap<CellModel, CellModel>();

function ofAnotherText(model: CellModel): CellModel {
  const { cell } = model;
  // A run in progress is shown for any text, because it can be stopped here.
  if (cell.status === 'running') return model;
  const cachedModel = others.get(model);
  if (cachedModel !== undefined) return cachedModel;
  const { causality: _theirs, unkept: _too, ...rest } = cell;
  const idleModel: CellModel = {
    ...model,
    cell: {
      ...rest,
      status: 'idle',
      staleness_reasons: [],
      cache_hit: false,
      error: null,
      ...(cell.error === null ? {} : { past_error: cell.error }),
      test_result: cell.test_result === null ? null : { ...cell.test_result, stale: true },
    },
  };
  others.set(model, idleModel);
  return idleModel;
}
