/** Commands about panels, scrolling, folding, theme and settings: part of the command table (registry.ts). */

import { layoutStore, type PanelId } from '../state/layout.ts';
import { openSettings } from '../state/settingsDialog.ts';
import { focusNextTerminal } from '../state/terminals.ts';
import { COMMAND_WORDS as W } from '../words/commands.ts';
import type { Command } from './command.ts';

function panel(id: PanelId, title: string, keys: readonly string[]): Command {
  return {
    id: `view.${id}`,
    title,
    keys,
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    submenu: 'Panels',
    run: () => layoutStore.getState().togglePanel(id),
  };
}

export const VIEW_COMMANDS: readonly Command[] = [
  {
    id: 'view.palette',
    title: 'Show all commands',
    keys: ['Mod+Shift+p', 'F1'],
    mode: 'any',
    group: 'view',
    menu: { notebook: 4 },
    run: () => layoutStore.getState().openOverlay('palette'),
  },
  {
    id: 'view.quickOpen',
    title: 'Go to cell, variable or notebook',
    keys: ['Mod+p'],
    mode: 'any',
    group: 'view',
    menu: { notebook: 4 },
    run: () => layoutStore.getState().openOverlay('quickOpen'),
  },
  {
    id: 'view.scrollDown',
    title: 'Scroll down',
    keys: ['Space'],
    mode: 'command',
    group: 'view',
    run: ({ page }) => page.scroll(1),
  },
  {
    id: 'view.scrollUp',
    title: 'Scroll up',
    keys: ['Shift+Space'],
    mode: 'command',
    group: 'view',
    run: ({ page }) => page.scroll(-1),
  },
  {
    id: 'view.left',
    title: 'Show or hide left panel',
    keys: ['Mod+b'],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    submenu: 'Panels',
    run: () => layoutStore.getState().toggleRegion('left'),
  },
  {
    id: 'view.bottom',
    title: 'Show or hide drawer',
    keys: ['Mod+j'],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    submenu: 'Panels',
    run: () => layoutStore.getState().toggleRegion('bottom'),
  },
  {
    id: 'view.lines',
    title: 'Show or hide line numbers',
    keys: [],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    run: ({ page }) => page.toggleLines(),
  },
  panel('inspector', 'Inspector', ['Mod+Alt+b']),
  panel('outline', 'Outline', ['Mod+Shift+o']),
  panel('data', 'Data', []),
  panel('files', 'Files', ['Mod+Shift+e']),
  panel('environment', 'Environment', ['Mod+Shift+y']),
  panel('workers', 'Workers', []),
  panel('history', 'History of the notebook', []),
  panel('dag', 'Graph', ['Mod+Shift+g']),
  panel('runs', 'Runs', []),
  panel('cellConsole', 'Look inside', []),
  {
    ...panel('terminal', 'Terminal', ['Mod+`']),
    run: () => {
      focusNextTerminal();
      layoutStore.getState().togglePanel('terminal');
    },
  },
  panel('logs', 'Logs', ['Mod+Shift+u']),
  {
    id: 'view.app',
    title: 'App view (results without code)',
    keys: ['Mod+Alt+a'],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    when: ({ view }) => (view.model.order.length > 0 ? true : W.needsCells),
    run: ({ page }) => page.openApp(),
  },
  {
    id: 'view.wide',
    title: 'Wide column (on or off)',
    keys: [],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    run: () => layoutStore.getState().toggleWide(),
  },
  {
    id: 'view.settings',
    title: 'Settings',
    keys: ['Mod+,'],
    mode: 'any',
    group: 'view',
    menu: { notebook: 4 },
    run: openSettings,
  },
  {
    id: 'view.theme',
    title: 'Switch theme (light, dark, system)',
    keys: [],
    mode: 'any',
    group: 'view',
    run: ({ page }) => page.nextTheme(),
  },
  {
    id: 'view.foldAll',
    title: 'Hide all outputs',
    keys: [],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    when: ({ view }) => (view.model.order.length > 0 ? true : W.needsCells),
    run: ({ session, view }) => session.fold(view.model.order, true),
  },
  {
    id: 'view.unfoldAll',
    title: 'Show all outputs',
    keys: [],
    mode: 'any',
    group: 'view',
    menu: { notebook: 3 },
    when: ({ view }) => (view.model.order.length > 0 ? true : W.needsCells),
    run: ({ session, view }) => session.fold(view.model.order, false),
  },
];
