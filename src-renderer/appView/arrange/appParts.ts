/** The parts of an app view, in order. */

import { parseAnnotations } from '../../../src-shared/notebook/annotations.ts';
import { LANGUAGES } from '../../../src-shared/notebook/languages/languages.ts';
import type { AppLayout, AppPlacement } from '../../../src-shared/wire/appLayout.ts';
import type { Cell } from '../../../src-shared/wire/cell.ts';
import { appLayoutOf } from '../../live/appLayout.ts';
import type { NotebookView } from '../../state/notebookStore.ts';

/** Why a cell is not in the app: the layout or its code says so, or it has nothing to show. */
export type LeftOut = 'layout' | 'annotation' | 'nothing';

export interface AppParts {
  /** The cells of the app, in notebook order. */
  readonly shown: readonly string[];
  /** The others, less variants that are not active. */
  readonly left: readonly { readonly id: string; readonly why: LeftOut }[];
}

/** Which cells of a notebook its app shows. */
export function appPartsOf(view: Pick<NotebookView, 'model' | 'appEdits'>): AppParts {
  const { model } = view;
  const layout = appLayoutOf(view);
  const shownIds: string[] = [];
  const left: { id: string; why: LeftOut }[] = [];
  for (const id of model.order) {
    const cell = model.cells[id]?.cell;
    if (cell?.variant_active !== true) continue;
    const why = whyLeftOut(cell, layout.cells[id] ?? {});
    if (why === null) shownIds.push(id);
    else left.push({ id, why });
  }
  return { shown: shownIds, left };
}

/** Null: the cell is in the app. */
export function whyLeftOut(cell: Cell, placement: AppPlacement): LeftOut | null {
  if (parseAnnotations(cell.source, cell.language).appHide) return 'annotation';
  if (placement.shown === false) return 'layout';
  if (placement.shown === true || placement.code === true) return null;
  if (showsSomething(cell)) return null;
  // It has its place for the result that it will have.
  const isPlaced = placement.grid !== undefined || placement.tab !== undefined;
  return isPlaced && isMissing(cell) ? null : 'nothing';
}

function showsSomething(cell: Cell): boolean {
  const { runs, hasControls } = LANGUAGES[cell.language];
  if (!runs) return cell.source.trim() !== '';
  if (hasControls) return (cell.widget?.descriptors.length ?? 0) > 0;
  return cell.display_outputs.length > 0 || cell.error !== null;
}

/** Whether a run would give the cell a result that it does not have yet. */
export function isMissing(cell: Cell): boolean {
  const { runs, hasControls } = LANGUAGES[cell.language];
  return (
    runs &&
    !hasControls &&
    cell.status !== 'ready' &&
    cell.error === null &&
    cell.display_outputs.length === 0
  );
}

/** Whether the cell shows a result of code, inputs or an environment that changed since. */
export function isOutdated(cell: Cell): boolean {
  const { runs, hasControls } = LANGUAGES[cell.language];
  return runs && !hasControls && cell.status !== 'ready' && cell.display_outputs.length > 0;
}

/** Whether the app shows the code of a cell. */
export function showsCode(cell: Cell, { code, cells }: Pick<AppLayout, 'code' | 'cells'>): boolean {
  const { runs, hasControls } = LANGUAGES[cell.language];
  return runs && !hasControls && (cells[cell.id]?.code ?? code ?? false);
}

export function sameParts(a: AppParts, b: AppParts): boolean {
  return (
    a.shown.length === b.shown.length &&
    a.left.length === b.left.length &&
    a.shown.every((id, at) => id === b.shown[at]) &&
    a.left.every(({ id, why }, at) => id === b.left[at]?.id && why === b.left[at].why)
  );
}
