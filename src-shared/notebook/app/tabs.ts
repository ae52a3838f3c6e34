/** Makes the tabs of an app view, and assigns its cells to them. */

import type { AppLayout } from '../../wire/appLayout.ts';

/** The name of the tab for cells before the first heading. */
export const FIRST_TAB = 'Overview';

/** A cell for the tabs, with the notebook's top-level section that contains it; null: before the first heading. */
export interface TabCell {
  readonly id: string;
  readonly section: string | null;
}

/** One tab of an app view with its cells. */
export interface AppTab {
  readonly name: string;
  readonly ids: readonly string[];
}

/** The tab of a cell that names none. `first`: the name of the tab for cells before the first heading. */
function tabOf({ id, section }: TabCell, { cells }: Pick<AppLayout, 'cells'>, first: string): string {
  return cells[id]?.tab ?? section ?? first;
}

/**
 * The tabs of an app view with their cells in notebook order: listed tabs first, then those in order of their cells.
 */
export function tabsOf(
  cells: readonly TabCell[],
  layout: Pick<AppLayout, 'cells' | 'tabs'>,
  first: string,
): readonly AppTab[] {
  const byName = new Map<string, string[]>();
  for (const cell of cells) {
    const name = tabOf(cell, layout, first);
    const ids = byName.get(name);
    if (ids === undefined) byName.set(name, [cell.id]);
    else ids.push(cell.id);
  }
  const listed = new Set((layout.tabs ?? []).filter((name) => byName.has(name)));
  const names = [...listed, ...[...byName.keys()].filter((name) => !listed.has(name))];
  return names.map((name) => ({ name, ids: byName.get(name) ?? [] }));
}
