/** Which cells an app view shows, and which parts of them: one decision for the window and for exports. */

import type { AppLayout, AppPlacement } from '../../wire/appLayout.ts';
import type { Cell } from '../../wire/cell.ts';
import { parseAnnotations } from '../annotations.ts';
import { LANGUAGES } from '../languages/languages.ts';

/** Why a cell is not in the app: the layout or its code says so, or it has nothing to show. */
export type AppExclusion = 'layout' | 'annotation' | 'nothing';

/** Why a cell is not in the app; null if it is. */
export function whyExcluded(cell: Cell, placement: AppPlacement): AppExclusion | null {
  if (parseAnnotations(cell.source, cell.language).appHide) return 'annotation';
  if (placement.shown === false) return 'layout';
  if (placement.shown === true || placement.code === true) return null;
  if (showsSomething(cell)) return null;
  // A cell without a result has its place for the result of its next run.
  const isPlaced = placement.grid !== undefined || placement.tab !== undefined;
  return isPlaced && lacksResult(cell) ? null : 'nothing';
}

function showsSomething(cell: Cell): boolean {
  const { runs, hasControls } = LANGUAGES[cell.language];
  if (!runs) return cell.source.trim() !== '';
  if (hasControls) return (cell.widget?.descriptors.length ?? 0) > 0;
  return cell.display_outputs.length > 0 || cell.error !== null;
}

/** Whether a run would give the cell a result that it does not have yet. */
export function lacksResult(cell: Cell): boolean {
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
