/** Determines which cells of a notebook its app view shows, in which order, and which it leaves out and why. */

import { type AppExclusion, whyExcluded } from '../../../src-shared/notebook/app/inApp.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { appLayoutOf } from '../../live/appLayout.ts';
import type { NotebookModel } from '../../state/notebookModel.ts';
import type { NotebookView } from '../../state/notebookStore.ts';

export interface AppParts {
  /** The cells of the app, in notebook order. */
  readonly shown: readonly string[];
  /** The other cells, except variants that are not active. */
  readonly left: readonly { readonly id: string; readonly why: AppExclusion }[];
}

/** Which cells of a notebook its app shows. */
export function appPartsOf(view: Pick<NotebookView, 'model' | 'appEdits'>): AppParts {
  const { model } = view;
  const layout = appLayoutOf(view);
  const shownIds: string[] = [];
  const left: { id: string; why: AppExclusion }[] = [];
  for (const id of model.order) {
    const cell = model.cells[id]?.cell;
    if (cell?.variant_active !== true) continue;
    const why = whyExcluded(cell, layout.cells[id] ?? {});
    if (why === null) shownIds.push(id);
    else left.push({ id, why });
  }
  return { shown: shownIds, left };
}

export function sameParts(a: AppParts, b: AppParts): boolean {
  return (
    a.shown.length === b.shown.length &&
    a.left.length === b.left.length &&
    a.shown.every((id, at) => id === b.shown[at]) &&
    a.left.every(({ id, why }, at) => id === b.left[at]?.id && why === b.left[at].why)
  );
}

/** All cells of a notebook, in its order. */
export function cellsOf({ order, cells }: Pick<NotebookModel, 'order' | 'cells'>): readonly Cell[] {
  return order.flatMap((id) => cells[id]?.cell ?? []);
}
