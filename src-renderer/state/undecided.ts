/** Cells whose text is still undecided. */

import { LANGUAGES } from '../../src-shared/notebook/languages/languages.ts';
import type { CellModel } from './notebookModel.ts';
import type { NotebookView } from './notebookStore.ts';
import { notUpToDate, TALLY_PART, type Tally, tally } from './tally.ts';

/**
 * Cells that show a refused draft: the text a person sees is not the server's, and will not be until they decide.
 * What the server says of such a cell is about the other text.
 */
type Parts = Pick<NotebookView, 'model' | 'drafts'>;

export function hasRefusedDraft({ drafts }: Pick<Parts, 'drafts'>, id: string): boolean {
  return drafts[id]?.state === 'refused';
}

/** In the notebook's order. */
export function undecidedCells(view: Parts): readonly string[] {
  const ids = Object.keys(view.drafts).filter((id) => hasRefusedDraft(view, id));
  return ids.length < 2 ? ids : view.model.order.filter((id) => ids.includes(id));
}

/** Those that run. */
export function undecidedCode(view: Parts): readonly string[] {
  const { cells } = view.model;
  return undecidedCells(view).filter((id) => {
    const cell = cells[id]?.cell;
    return cell !== undefined && LANGUAGES[cell.language].runs && cell.variant_active;
  });
}

/** The first undecided cell that a run of this one would run too: itself, or one above that is not ready. */
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

/** How many cells are not up to date as they are shown. */
export function countNotUpToDate(view: Parts): number {
  const outdatedIds = notUpToDate(view.model);
  return outdatedIds.length + undecidedCode(view).filter((id) => !outdatedIds.includes(id)).length;
}

/** How many cells are in each state as they are shown. */
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

/** A cell as this window shows it: where its text is undecided, what is known of a run is of another text. */
export function shownModel(view: Parts, id: string): CellModel | undefined {
  const model = view.model.cells[id];
  return model !== undefined && hasRefusedDraft(view, id) ? ofAnotherText(model) : model;
}

/** The same object while the server says the same. */
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
