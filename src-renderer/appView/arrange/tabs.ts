/** Tabs of an app view. */

import type { AppEdit, AppLayout } from '../../../src-shared/wire/appLayout.ts';

/** A cell for the tabs, with the top-level section of the notebook that it is in; null: before the first heading. */
export interface TabCell {
  readonly id: string;
  readonly section: string | null;
}

export interface AppTab {
  readonly name: string;
  readonly ids: readonly string[];
}

/** The tab of a cell that names none. `first`: the name of the tab for cells before the first heading. */
function tabOf({ id, section }: TabCell, { cells }: Pick<AppLayout, 'cells'>, first: string): string {
  return cells[id]?.tab ?? section ?? first;
}

/** The tabs of an app view with their cells in notebook order: those that the layout lists first, then as they come. */
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

/** Gives a tab another name: its cells name it, and it keeps its place. A name that exists joins the two. */
export function renamedTab(tabs: readonly AppTab[], from: string, to: string): AppEdit {
  const tab = tabs.find(({ name }) => name === from);
  if (tab === undefined || to === from || to === '') return {};
  const names = tabs.map(({ name }) => (name === from ? to : name));
  return {
    tabs: [...new Set(names)],
    cells: Object.fromEntries(tab.ids.map((id) => [id, { tab: to }])),
  };
}

/** Moves a tab by one place. Nothing changes at the ends. */
export function movedTab(tabs: readonly AppTab[], name: string, by: -1 | 1): AppEdit {
  const names = tabs.map((tab) => tab.name);
  const at = names.indexOf(name);
  const other = names[at + by];
  if (at === -1 || other === undefined) return {};
  return { tabs: names.map((one) => (one === name ? other : one === other ? name : one)) };
}
