/** Applies edits to the app layout of a notebook, inverts them and compares them. */

import type { AppEdit, AppLayout, AppPlacement, PlacementEdit } from '../wire/appLayout.ts';

export const NO_APP_LAYOUT: AppLayout = { cells: {} };

/** The layout after an edit: each value on its own, null removes one. Cells without values have no entry. */
export function withAppEdit(layout: AppLayout, { cells: edited = {}, ...whole }: AppEdit): AppLayout {
  const { cells, ...rest } = layout;
  const placements: Record<string, AppPlacement> = { ...cells };
  for (const [id, edit] of Object.entries(edited)) {
    const placement = withValues(placements[id] ?? {}, edit);
    if (Object.keys(placement).length === 0) delete placements[id];
    else placements[id] = placement;
  }
  return { ...withValues(rest, whole), cells: placements };
}

/** The edit that restores the values in `layout` that `edit` changes. */
export function inverseAppEdit(layout: AppLayout, { cells, ...whole }: AppEdit): AppEdit {
  const { cells: placements, problems: _problems, ...rest } = layout;
  const before = valuesBefore(rest, whole);
  if (cells === undefined) return before;
  const pairs = Object.entries(cells).map(([id, edit]) => [id, valuesBefore(placements[id] ?? {}, edit)]);
  return { ...before, cells: Object.fromEntries(pairs) };
}

/** Whether two edits set the same values to the same content. */
export function sameAppEdit(a: AppEdit, b: AppEdit): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function withValues<T extends object>(values: T, edit: object): T {
  const after = { ...values } as Record<string, unknown>; // compared key by key
  for (const [key, value] of Object.entries(edit)) {
    if (value === undefined) continue;
    if (value === null) delete after[key];
    else after[key] = value;
  }
  return after as T; // the same keys, with values of their own schemas
}

function valuesBefore(values: object, edit: PlacementEdit | Omit<AppEdit, 'cells'>): PlacementEdit {
  const before: Readonly<Record<string, unknown>> = { ...values };
  const keys = Object.entries(edit).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  return Object.fromEntries(keys.map((key) => [key, before[key] ?? null]));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
