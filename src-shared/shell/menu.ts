/**
 * The entries of the desktop window's menus, shared by the shell that shows them and the page that runs their commands.
 */

/**
 * One entry of the window's menus. Commands are executed by the page, actions by the shell, roles by the
 * system.
 */
export type MenuEntry =
  | {
      readonly kind: 'command';
      readonly id: string;
      readonly label: string;
      /**
       * In Electron's format. Shown only; the page handles its own keys, except on macOS, where the menu
       * handles them first.
       */
      readonly keys?: string;
    }
  | {
      readonly kind: 'action';
      readonly action: 'newNotebook' | 'newWindow' | 'openNotebook' | 'openLogs' | 'commandTool';
      readonly label: string;
      readonly keys?: string;
    }
  | { readonly kind: 'role'; readonly role: MenuRole; readonly label?: string }
  | { readonly kind: 'recents'; readonly label: string }
  | { readonly kind: 'separator' };

/** The system's own entries; with Electron's names. */
type MenuRole =
  | 'about'
  | 'close'
  | 'copy'
  | 'cut'
  | 'front'
  | 'hide'
  | 'hideOthers'
  | 'minimize'
  | 'paste'
  | 'quit'
  | 'redo'
  | 'reload'
  | 'resetZoom'
  | 'selectAll'
  | 'services'
  | 'toggleDevTools'
  | 'togglefullscreen'
  | 'undo'
  | 'unhide'
  | 'zoom'
  | 'zoomIn'
  | 'zoomOut';

interface MenuSection {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

/** The app that shows the menu: its platform, and whether it is packaged. */
export interface MenuPlace {
  readonly platform: 'linux' | 'darwin' | 'win32';
  /** The packaged app has no developer tools. */
  readonly packaged: boolean;
}

const COMMAND_TOOL: MenuEntry = {
  kind: 'action',
  action: 'commandTool',
  label: 'Install command-line tool…',
};
const SEPARATOR: MenuEntry = { kind: 'separator' };
const role = (name: MenuRole, label?: string): MenuEntry =>
  label === undefined ? { kind: 'role', role: name } : { kind: 'role', role: name, label };
const command = (id: string, label: string, keys?: string): MenuEntry =>
  keys === undefined ? { kind: 'command', id, label } : { kind: 'command', id, label, keys };

/** The menu bar, section by section. Pure. */
export function menuSections({ platform, packaged }: MenuPlace): readonly MenuSection[] {
  const mac = platform === 'darwin';
  const appSection: MenuSection = {
    label: 'Cellar',
    entries: [
      role('about'),
      SEPARATOR,
      role('services'),
      SEPARATOR,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      SEPARATOR,
      role('quit'),
    ],
  };
  const file: MenuSection = {
    label: 'File',
    entries: [
      { kind: 'action', action: 'newNotebook', label: 'New notebook…', keys: 'CmdOrCtrl+N' },
      { kind: 'action', action: 'openNotebook', label: 'Open folder…', keys: 'CmdOrCtrl+O' },
      { kind: 'recents', label: 'Open recent' },
      SEPARATOR,
      { kind: 'action', action: 'newWindow', label: 'New window', keys: 'CmdOrCtrl+Shift+N' },
      SEPARATOR,
      command('notebook.home', 'Home'),
      command('notebook.save', 'Save now', 'CmdOrCtrl+S'),
      SEPARATOR,
      role('close', mac ? undefined : 'Close window'),
      ...(mac ? [] : [role('quit', 'Quit')]),
    ],
  };
  const edit: MenuSection = {
    label: 'Edit',
    entries: [
      role('undo'),
      role('redo'),
      SEPARATOR,
      role('cut'),
      role('copy'),
      role('paste'),
      role('selectAll'),
      SEPARATOR,
      command('edit.find', 'Find in notebook', 'CmdOrCtrl+F'),
    ],
  };
  const run: MenuSection = {
    label: 'Run',
    entries: [
      command('cell.run', 'Run cell', 'CmdOrCtrl+Enter'),
      command('cell.runAndAdvance', 'Run cell and go to next', 'Shift+Enter'),
      command('cell.stop', 'Stop cell'),
      SEPARATOR,
      command('run.all', 'Run all', 'CmdOrCtrl+Shift+Enter'),
      command('run.stale', 'Run stale cells', 'CmdOrCtrl+Alt+Enter'),
      command('run.stopAll', 'Stop all'),
    ],
  };
  const view: MenuSection = {
    label: 'View',
    entries: [
      command('view.palette', 'All commands…', 'CmdOrCtrl+Shift+P'),
      command('view.quickOpen', 'Go to…', 'CmdOrCtrl+P'),
      command('view.left', 'Left panel', 'CmdOrCtrl+B'),
      command('view.bottom', 'Drawer', 'CmdOrCtrl+J'),
      SEPARATOR,
      role('resetZoom'),
      role('zoomIn'),
      role('zoomOut'),
      SEPARATOR,
      role('togglefullscreen'),
      role('reload', 'Reload window'),
      ...(packaged ? [] : [role('toggleDevTools')]),
    ],
  };
  const window: MenuSection = {
    label: 'Window',
    entries: mac ? [role('minimize'), role('zoom'), SEPARATOR, role('front')] : [role('minimize')],
  };
  const help: MenuSection = {
    label: 'Help',
    entries: [
      command('help.shortcuts', 'Keyboard shortcuts'),
      { kind: 'action', action: 'openLogs', label: 'Show log files' },
      // A checkout has `npx svc`.
      ...(packaged ? [COMMAND_TOOL] : []),
      ...(mac ? [] : [role('about', 'About Cellar')]),
    ],
  };
  return [...(mac ? [appSection] : []), file, edit, run, view, window, help];
}

/** Ids of the commands the menus send to the page, on any system. */
export function menuCommandIds(): readonly string[] {
  return menuSections({ platform: 'linux', packaged: true }).flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === 'command' ? [entry.id] : [])),
  );
}
