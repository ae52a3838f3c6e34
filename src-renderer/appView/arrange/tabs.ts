/** Renames and reorders the tabs of an app view; returns the edit that stores the change in notebook.toml. */

import type { AppTab } from '../../../src-shared/notebook/app/tabs.ts';
import type { AppEdit } from '../../../src-shared/wire/appLayout.ts';

/** Renames a tab in its place and in its cells. If another tab already has the new name, the two are joined. */
export function renameTab(tabs: readonly AppTab[], from: string, to: string): AppEdit {
  const tab = tabs.find(({ name }) => name === from);
  if (tab === undefined || to === from || to === '') return {};
  const names = tabs.map(({ name }) => (name === from ? to : name));
  return {
    tabs: [...new Set(names)],
    cells: Object.fromEntries(tab.ids.map((id) => [id, { tab: to }])),
  };
}

/** Moves a tab by one place. Nothing changes at the ends. */
export function moveTab(tabs: readonly AppTab[], name: string, by: -1 | 1): AppEdit {
  const names = tabs.map((tab) => tab.name);
  const at = names.indexOf(name);
  const other = names[at + by];
  if (at === -1 || other === undefined) return {};
  return { tabs: names.map((one) => (one === name ? other : one === other ? name : one)) };
}
