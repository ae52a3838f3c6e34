/** Builds the menus of the desktop app. */

import type { BrowserWindow, MenuItemConstructorOptions } from 'electron';
import type { ShellNotebook } from '../../src-shared/shell/bridge.ts';
import { type MenuEntry, type MenuPlace, menuSections } from '../../src-shared/shell/menu.ts';

interface MenuActions {
  /** Sends a command to the page of the front window. */
  readonly command: (id: string, window: MenuWindow | undefined) => void;
  readonly action: (
    name: Extract<MenuEntry, { kind: 'action' }>['action'],
    window: MenuWindow | undefined,
  ) => void;
  readonly openRecent: (path: string) => void;
  readonly clearRecents: () => void;
}

type MenuWindow = Pick<BrowserWindow, 'id'>;

/** The menus in Electron's form. Recent notebooks are listed by the app: Linux has no menu for them. */
export function menuTemplate(
  place: MenuPlace,
  recents: readonly ShellNotebook[],
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  return menuSections(place).map(({ label, entries }) => ({
    label,
    submenu: entries.map((entry) => item(entry, { place, recents, actions })),
  }));
}

function item(
  entry: MenuEntry,
  { place, recents, actions }: { place: MenuPlace; recents: readonly ShellNotebook[]; actions: MenuActions },
): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'separator':
      return { type: 'separator' };
    case 'role':
      return entry.label === undefined ? { role: entry.role } : { role: entry.role, label: entry.label };
    case 'command':
      return {
        id: entry.id,
        label: entry.label,
        ...(entry.keys === undefined ? {} : { accelerator: entry.keys }),
        // The page handles these keys itself; registered here too, they would count twice.
        registerAccelerator: place.platform === 'darwin',
        click: (_item, window) => actions.command(entry.id, window),
      };
    case 'action':
      return {
        id: entry.action,
        label: entry.label,
        ...(entry.keys === undefined ? {} : { accelerator: entry.keys }),
        click: (_item, window) => actions.action(entry.action, window),
      };
    case 'recents':
      return { id: 'recents', label: entry.label, submenu: recentItems(recents, actions) };
  }
}

function recentItems(recents: readonly ShellNotebook[], actions: MenuActions): MenuItemConstructorOptions[] {
  if (recents.length === 0) return [{ label: 'No notebooks yet', enabled: false }];
  return [
    ...recents.map(({ path, name }) => ({
      // An ampersand would mark a key of the menu.
      label: name.replaceAll('&', '&&'),
      sublabel: path,
      click: () => actions.openRecent(path),
    })),
    { type: 'separator' },
    { label: 'Clear list', click: () => actions.clearRecents() },
  ];
}
